import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupRules
package import BackupVerdicts

extension Inspection {
  package static let formats: [OutputFormat<Inspection>] = [
    OutputFormat("text", [.showsProblems]) { $0.text },
    .json { $0.json },
    OutputFormat("html", [.showsProblems]) { $0.page },
  ]

  fileprivate var text: String {
    let ownerPhrase = ownerIdentifier.map { ", \($0)" } ?? ""
    let unreadablePhrase = tally.unreadableItems.count.counted("item")
    return [
      ["\(context.name)\(ownerPhrase): what a backup by \(systemName) would contain", headline],
      ItemState.allCases.map { Self.line(tally.total[$0], "  \($0.phrase)") },
      Self.lines(containerLines, below: "containers:"), changeLines,
      Self.lines(folderLines, below: "folders, the largest first:"),
      Self.lines(fileLines, below: "files, the largest first:"), classLines,
      budgetUses.map { "\($0.name): \($0.phrase)" }, findingLines,
      Self.lines(unreadableLines, below: "\(unreadablePhrase) could not be read:"),
      notes.map { "note: \($0)" },
    ]
    .filter { !$0.isEmpty }
    .map { $0.map { "\($0.onOneLine)\n" }.joined() }.joined(separator: "\n")
  }

  private var containerLines: [String] {
    guard containers.count > 1 else { return [] }
    return containers.map { Self.line($0.sums, of: $0.identifier ?? "unknown") }
  }

  private var changeLines: [String] {
    guard let changes else { return [] }
    let lines = Self.lines(changes.all, upTo: 20, "file") { change in
      "\(Self.sizeColumn(change.byteDifference))  \(change.path)  \(change.statesInWords.joined(separator: " → "))"
    }
    return ["changes since \(changes.earlierName):", "  \(changes.headline)"] + lines
  }

  private var folderLines: [String] {
    Self.lines(tally.foldersBySize, upTo: 30, "folder") {
      Self.line($0.sums, of: $0.path.map { "\($0)/" } ?? ".")
    }
  }

  private var fileLines: [String] {
    Self.lines(tally.largestFiles, of: tally.total.fileCount, upTo: 20, "file") { decision in
      let state = ItemState(decision.verdict).phrase
      let size = Self.sizeColumn(decision.size ?? 0)
      return "\(size)  \(decision.path)  \(state): \(cause(of: decision))"
    }
  }

  private var classLines: [String] {
    guard !tally.sumsByClass.isEmpty else { return [] }
    let lines = tally.classSums.flatMap { name, sums in
      sums.nonemptyStates.map { Self.line(sums[$0], "  \(name), \($0.phrase)") }
    }
    let reviewLines = tally.appReviewSums.map { Self.line($0.sum, "  \($0.words)") }
    return ["by class:"] + lines + ["what App Review may object to:"] + reviewLines
  }

  private var findingLines: [String] {
    findings.flatMap { finding in
      ["\(finding.severity.diagnosticWord): \(finding.rule): \(finding.message.asMessage)"]
        + finding.adviceLines.map { "    \($0.asMessage)" }
    }
      + findings.flatMap { $0.sources.map(\.key) }.lineOfSources.split(separator: "\n").map(
        String.init)
  }

  private var unreadableLines: [String] {
    Self.lines(tally.unreadableItems, upTo: 20, "item") {
      "  \($0.path)  \($0.reason?.description ?? "")"
    }
  }

  private static func lines(_ lines: [String], below title: String) -> [String] {
    lines.isEmpty ? [] : [title] + lines
  }

  /// Returns a line for each of the first `limit` items, and a line with the number of the others.
  /// `count` is the number of all items, if `items` has only some.
  private static func lines<Item>(
    _ items: [Item], of count: Int? = nil, upTo limit: Int, _ noun: String, _ line: (Item) -> String
  ) -> [String] {
    let lines = items.prefix(limit).map(line)
    let omittedCount = (count ?? items.count) - lines.count
    return lines + (omittedCount > 0 ? ["  … and \(omittedCount.counted(noun)) more"] : [])
  }

  private static func line(_ sum: FileTotal, _ words: String) -> String {
    sizeColumn(sum.byteCount) + "\(sum.fileCount)".paddedInFront(to: 8)
      + " \(sum.fileCount.wordForm("file"))".padded(to: 6) + words
  }

  private static func line(_ sums: Sums, of name: String) -> String {
    let statePhrases = sums.nonemptyStates.map { state in
      "\(state.phrase) \(Int(sums[state].byteCount).counted("byte"))"
    }
    return line(sums.total, "  \(name)  \(statePhrases.joined(separator: ", "))")
  }

  private static func sizeColumn(_ bytes: Int64) -> String {
    bytes.formattedSize.paddedInFront(to: 11)
  }
}
