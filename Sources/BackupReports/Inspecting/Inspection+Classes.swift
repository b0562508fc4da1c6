import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupRules
package import BackupScenarios
import BackupVerdicts

extension Inspection {
  /// A pattern of files that seem to be of one class, with a note on their number, size and marks.
  package struct Suggestion {
    package let pattern: String
    package let dataClass: DataClass
    package let note: String
  }

  /// The number of folders that get their own pattern.
  private static let mostSuggestions = 30

  /// The class that the files in each of the app's folders seem to have, by their place and marks. A person must check
  /// it.
  ///
  /// The largest folders come first. Files beside folders come last, because their pattern matches
  /// the folders too. `leftOut` counts the smaller folders.
  package var suggestions: (all: [Suggestion], leftOut: Int) {
    var sums: [String: Sums] = [:]
    backupSet.decisions.forEachItem { directory, name, _, kind, verdict in
      guard case .file(let size) = kind, let directory,
        let pattern = Self.pattern(for: ContainerPath(name, in: directory))
      else { return }
      sums[pattern, default: Sums()].add(size, ItemState(verdict))
    }
    let sorted = sums.sorted { first, second in
      let isBeside = [first, second].map { $0.key.hasSuffix("/*") ? 1 : 0 }
      return (isBeside[0], second.value.bytes, first.key)
        < (isBeside[1], first.value.bytes, second.key)
    }
    let all = sorted.prefix(Self.mostSuggestions).map(Self.suggestion)
    return (all, sorted.count - all.count)
  }

  /// Returns the pattern of the app's folder that contains a file; nil for a folder of iOS or of its frameworks.
  private static func pattern(for path: ContainerPath) -> String? {
    let names = path.components.map(\.string)
    // Such a name would count as a pattern, or would break a line.
    guard path.description.allSatisfy({ !"*?[]{}\\\u{2028}\u{2029}\u{FFFD}".contains($0) }) else {
      return nil
    }
    switch names[0] {
    case "Documents", "tmp": return "\(names[0])/**"
    case "Library" where names.starts(with: ["Library", "Caches"]): return "Library/Caches/**"
    case "Library" where path.isInSystemDirectory || names[1] == "Preferences": return nil
    case "Library":
      let depth = names[1] == "Application Support" ? 3 : 2
      let isBeside = names.count == depth
      return (names.prefix(isBeside ? depth - 1 : depth) + [isBeside ? "*" : "**"])
        .joined(separator: "/")
    default: return nil
    }
  }

  private static func suggestion(_ pattern: String, _ sums: Sums) -> Suggestion {
    let marked = sums[.mark].files
    let dataClass: DataClass =
      switch pattern {
      case "Library/Caches/**": .cached
      case "tmp/**": .temporary
      default: marked == sums.files ? .offline : .critical
      }
    let marks = marked == 0 ? "" : ", \(marked == sums.files ? "all" : "\(marked)") marked"
    let note = "\(sums.files.counted("file")), \(sums.bytes.formattedSize)\(marks)"
    return Suggestion(pattern: pattern, dataClass: dataClass, note: note)
  }
}
