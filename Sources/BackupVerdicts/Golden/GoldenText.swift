import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupScenarios

/// Writes what the system did in a scenario's runs as the text of a golden file.
enum GoldenText {
  /// The text of all runs; runs with the same outcome share a section.
  static func render(_ scenario: Scenario, _ transcripts: [Transcript]) -> String {
    let outcomes = transcripts.map { ($0.variant, lines(of: $0)) }
    let text =
      [GoldenForm.header(of: scenario)]
      + VariantGroup.sections(
        of: outcomes, in: scenario, calling: scenario.newestSystem)
    return text.joined(separator: "\n") + "\n"
  }

  /// The lines of one run: a section for each thing the system did.
  static func lines(of transcript: Transcript) -> [String] {
    transcript.systemEntries.flatMap(lines)
  }

  /// The lines of one thing the system did.
  private static func lines(_ entry: Transcript.Entry) -> [String] {
    let items = self.items(entry).sorted { $0.sortKey.lexicographicallyPrecedes($1.sortKey) }
    return ["\(entry.step) \(title(entry))"] + items.map(\.line)
  }

  /// What the system did, in a line.
  private static func title(_ entry: Transcript.Entry) -> String {
    switch entry.event {
    case .backup(let backup):
      let files = backup.set.fileCount.counted("file")
      return "\(entry.step.summary): \(files), \(Int(backup.set.bytes).counted("byte"))"
    case .purge(_, let taken):
      let bytes = taken.reduce(0) { $0 + $1.bytes }
      return "\(entry.step.summary): \(Int(bytes).counted("byte")) taken"
    default:
      return entry.step.summary
    }
  }

  /// The items that an entry lists.
  private static func items(_ entry: Transcript.Entry) -> [GoldenItem] {
    switch entry.event {
    case .backup(let backup): items(of: backup.set)
    case .purge(_, let taken): taken.map { GoldenItem(lost: $0, note: $0.amount) }
    case .appUpdate(_, let lost):
      items(of: entry.tree) + lost.map { GoldenItem(lost: $0, note: "not carried over") }
    case .restore(let backup, let missing):
      items(of: entry.tree)
        + missing.map { GoldenItem(lost: $0, note: backup.reasonForLoss(of: $0.path)) }
    default: []
    }
  }

  /// What a backup holds and the topmost items it leaves out.
  private static func items(of set: BackupSet) -> [GoldenItem] {
    set.included.compactMap(GoldenItem.init(included:))
      + set.leftOutTops.map(GoldenItem.init(leftOut:))
  }

  /// Files, links and empty directories on disk.
  private static func items(of tree: FileTree) -> [GoldenItem] {
    var items: [GoldenItem] = []
    tree.walk { path, item in
      switch item.kind {
      case .file(let information):
        items.append(GoldenItem("+", path, note: "\(information.size)"))
      case .directory(let children):
        if children.isEmpty { items.append(GoldenItem("+", path, isDirectory: true)) }
      case .link:
        items.append(GoldenItem("+", path, note: "link"))
      case .special, .unreadable:
        break
      }
      return true
    }
    return items
  }
}

/// One line of a golden file.
struct GoldenItem {
  /// The whole line, without its end.
  let line: String
  /// What lines are sorted by: the path's bytes, with the `/` of a directory.
  let sortKey: [UInt8]

  /// A line on an item: `+` for one that is there, `-` for one that is not.
  init(_ sign: String, _ path: ContainerPath, isDirectory: Bool = false, note: String? = nil) {
    let name = "\(path)\(isDirectory ? "/" : "")"
    self.line = "\(sign) \(name)\(note.map { "  \($0)" } ?? "")"
    self.sortKey = path.bytes + (isDirectory ? [UInt8(ascii: "/")] : [])
  }

  /// An item of a backup; nil for a directory that is not empty.
  init?(included decision: BackupSet.Decision) {
    guard case .included(let mark) = decision.verdict else { return nil }
    let despite = mark.isEmpty ? "" : "marked, but backed up"
    switch decision.kind {
    case .file(let size):
      let note = despite.isEmpty ? "\(size)" : "\(size)  \(despite)"
      self.init("+", decision.path, note: note)
    case .directory(let isEmpty):
      guard isEmpty || !despite.isEmpty else { return nil }
      self.init("+", decision.path, isDirectory: true, note: despite.isEmpty ? nil : despite)
    case .link: self.init("+", decision.path, note: "link")
    case .other: self.init("+", decision.path)
    }
  }

  /// An item that a backup leaves out, with the reason.
  init(leftOut decision: BackupSet.Decision) {
    var isDirectory = false
    if case .directory = decision.kind { isDirectory = true }
    self.init("-", decision.path, isDirectory: isDirectory, note: decision.reason?.description)
  }

  /// An item that went, with a note.
  init(lost item: FileTree.LostItem, note: String) {
    self.init("-", item.path, isDirectory: item.isDirectory, note: note)
  }
}

extension FileTree.LostItem {
  /// How much went: bytes, and files for a directory.
  fileprivate var amount: String {
    isDirectory
      ? "\(fileCount.counted("file")), \(Int(bytes).counted("byte"))" : "\(bytes)"
  }
}

extension Transcript.Event.Backup {
  /// Why an item that was there at the backup is not there after its restore.
  func reasonForLoss(of path: ContainerPath) -> String {
    set.decision(on: path)?.reason?.description ?? "not restored"
  }
}
