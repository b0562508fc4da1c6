import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupRules
package import BackupVerdicts

extension Inspection {
  package static let formats: [OutputFormat<Inspection>] = [
    OutputFormat("text", showsProblems: true) { $0.text },
    .json { $0.json },
    OutputFormat("html", showsProblems: true) { $0.page },
  ]

  private static let mostFolders = 30
  private static let mostFiles = 20
  private static let mostChanges = 20
  private static let mostUnreadable = 20

  fileprivate var text: String {
    [
      headLines, ItemState.allCases.map { Self.line(tally.total[$0], "  \($0.words)") },
      containerLines,
      changeLines, folderLines, fileLines, classLines,
      budgetUses.map { "\($0.name): \($0.phrase)" }, findingLines, unreadableLines,
      notes.map { "note: \($0)" },
    ]
    .filter { !$0.isEmpty }
    .map { $0.map { "\($0.onOneLine)\n" }.joined() }.joined(separator: "\n")
  }

  private var headLines: [String] {
    let name = context.name
    let app = owner.map { ", \($0)" } ?? ""
    return ["\(name)\(app): what a backup by \(system) would contain", headline]
  }

  private var containerLines: [String] {
    guard containers.count > 1 else { return [] }
    return ["containers:"] + containers.map { Self.line($0.sums, of: $0.identifier ?? "unknown") }
  }

  private var changeLines: [String] {
    guard let changes else { return [] }
    let lines = changes.all.prefix(Self.mostChanges).map { change in
      "\(Self.bytes(change.bytes))  \(change.path)  \(change.words.joined(separator: " → "))"
    }
    return ["changes since \(changes.name):", "  \(changes.headline)"] + lines
      + Self.rest(changes.all.count - lines.count, "file")
  }

  private var folderLines: [String] {
    let folders = tally.foldersBySize
    guard !folders.isEmpty else { return [] }
    let lines = folders.prefix(Self.mostFolders).map {
      Self.line($0.sums, of: $0.path.map { "\($0)/" } ?? ".")
    }
    return ["folders, the largest first:"] + lines
      + Self.rest(folders.count - lines.count, "folder")
  }

  private var fileLines: [String] {
    let files = tally.largest.prefix(Self.mostFiles)
    guard !files.isEmpty else { return [] }
    let lines = files.map { decision in
      let state = ItemState(decision.verdict).words
      let size = Self.bytes(decision.size ?? 0)
      return "\(size)  \(decision.path)  \(state): \(cause(of: decision))"
    }
    return ["files, the largest first:"] + lines
      + Self.rest(tally.total.files - lines.count, "file")
  }

  private var classLines: [String] {
    guard !tally.classes.isEmpty else { return [] }
    let lines = tally.classesInOrder.flatMap { name, sums in
      sums.used.map { Self.line(sums[$0], "  \(name), \($0.words)") }
    }
    let reviewed = tally.reviewed.map { Self.line($0.sum, "  \($0.words)") }
    return ["by class:"] + lines + ["what App Review may object to:"] + reviewed
  }

  private var findingLines: [String] {
    findings.flatMap { finding in
      ["\(finding.severity.diagnosticWord): \(finding.rule): \(finding.message.asMessage)"]
        + finding.details.map { "    \($0.asMessage)" }
    }
  }

  private var unreadableLines: [String] {
    let items = tally.unreadable
    guard !items.isEmpty else { return [] }
    return ["\(items.count.counted("item")) could not be read:"]
      + items.prefix(Self.mostUnreadable).map { "  \($0.path)  \($0.reason?.description ?? "")" }
      + Self.rest(items.count - Self.mostUnreadable, "item")
  }

  private static func line(_ sum: FileSum, _ words: String) -> String {
    bytes(sum.bytes) + "\(sum.files)".paddedInFront(to: 8)
      + " \(sum.files.form("file"))".padded(to: 6) + words
  }

  private static func line(_ sums: Sums, of name: String) -> String {
    let parts = sums.used.map { state in
      "\(state.words) \(Int(sums[state].bytes).counted("byte"))"
    }
    return line(sums.total, "  \(name)  \(parts.joined(separator: ", "))")
  }

  private static func bytes(_ bytes: Int64) -> String {
    bytes.formattedSize.paddedInFront(to: 11)
  }

  private static func rest(_ count: Int, _ noun: String) -> [String] {
    count > 0 ? ["  … and \(count.counted(noun)) more"] : []
  }
}
