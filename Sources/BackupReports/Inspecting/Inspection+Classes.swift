import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupRules
package import BackupScenarios
import BackupVerdicts

extension Inspection {
  /// A suggested class for the files that match a pattern, with a note on their number, size and
  /// marks.
  package struct Suggestion {
    package let pattern: String
    package let dataClass: DataClass
    package let note: String
  }

  /// The largest number of suggestions.
  private static let maximumSuggestionCount = 30

  /// A suggested class for the files in each of the app's folders. The kit guesses the class from
  /// the place and the marks of the files, so a person must check it.
  ///
  /// The largest folders come first. Patterns such as `Library/*` come last, because they also
  /// match folders with a pattern of their own, such as `Library/Movies`. The first pattern that
  /// matches decides the class. `omittedCount` is the number of suggestions that are not in `all`.
  package var suggestions: (all: [Suggestion], omittedCount: Int) {
    var sums: [String: Sums] = [:]
    backupSet.decisions.forEachItem { directory, name, _, kind, verdict in
      guard case .file(let size) = kind, let directory,
        let pattern = Self.pattern(for: ContainerPath(name, in: directory))
      else { return }
      sums[pattern, default: Sums()].add(size, ItemState(verdict))
    }
    let sortedSums = sums.sorted { first, second in
      let ranks = [first, second].map { $0.key.hasSuffix("/*") ? 1 : 0 }
      return (ranks[0], second.value.bytes, first.key)
        < (ranks[1], first.value.bytes, second.key)
    }
    let all = sortedSums.prefix(Self.maximumSuggestionCount).map(Self.suggestion)
    return (all, sortedSums.count - all.count)
  }

  /// Returns the pattern for the app's folder that contains a file, such as `Library/Movies/**`.
  /// Returns nil for a folder of iOS or of its frameworks, and for a path that no pattern can name.
  private static func pattern(for path: ContainerPath) -> String? {
    let names = path.components.map(\.string)
    // A name with one of these characters would be read as a wildcard, or would break the line.
    guard path.description.allSatisfy({ !"*?[]{}\\\u{2028}\u{2029}\u{FFFD}".contains($0) }) else {
      return nil
    }
    switch names[0] {
    case "Documents", "tmp": return "\(names[0])/**"
    case "Library" where names.starts(with: ["Library", "Caches"]): return "Library/Caches/**"
    case "Library" where path.isInSystemDirectory || names[1] == "Preferences": return nil
    case "Library":
      let depth = names[1] == "Application Support" ? 3 : 2
      let isInNoSubfolder = names.count == depth
      return (names.prefix(isInNoSubfolder ? depth - 1 : depth) + [isInNoSubfolder ? "*" : "**"])
        .joined(separator: "/")
    default: return nil
    }
  }

  private static func suggestion(_ pattern: String, _ sums: Sums) -> Suggestion {
    let markedFileCount = sums[.mark].fileCount
    let dataClass: DataClass =
      switch pattern {
      case "Library/Caches/**": .cached
      case "tmp/**": .temporary
      default: markedFileCount == sums.fileCount ? .offline : .critical
      }
    let marksPhrase =
      markedFileCount == 0
      ? "" : ", \(markedFileCount == sums.fileCount ? "all" : "\(markedFileCount)") marked"
    let note = "\(sums.fileCount.counted("file")), \(sums.bytes.formattedSize)\(marksPhrase)"
    return Suggestion(pattern: pattern, dataClass: dataClass, note: note)
  }
}
