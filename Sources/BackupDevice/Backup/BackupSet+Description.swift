import BackupDiagnostics
import BackupFileTree

extension BackupSet: CustomStringConvertible {
  /// How much there is, then a line for each file and link in the backup and for each item left out,
  /// with the reason; of a directory left out whole just the directory.
  public var description: String {
    let lines = included.filter(\.isLeaf) + leftOutTops
    let head = "backup of \(fileCount.counted("file")), \(Int(bytes).counted("byte")):"
    return ([head] + lines.map(\.description)).joined(separator: "\n")
  }
}

extension BackupSet.Decisions: CustomStringConvertible {
  /// A line for each item, those in directories that are left out whole too.
  public var description: String { map(\.description).joined(separator: "\n") }
}

extension BackupSet.Decision: CustomStringConvertible, CustomDebugStringConvertible {
  /// `+ Documents/a.txt  10` for a file in the backup, `- Library/Caches  location` for what is left
  /// out.
  public var description: String {
    if let reason { return "- \(path)  \(reason)" }
    return "+ \(path)\(size.map { "  \($0)" } ?? "")"
  }

  /// The same on a line of its own, as a list has it.
  public var debugDescription: String { "\n  \(description)" }

  /// Whether it is on a file or a link.
  package var isLeaf: Bool {
    switch kind {
    case .file, .link: true
    case .directory, .other: false
    }
  }
}
