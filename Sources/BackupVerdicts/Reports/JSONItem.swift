import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupScenarios

/// An item of a container as the JSON report has it.
///
/// What does not apply is left out.
struct JSONItem: Codable {
  /// Its path in the container.
  let path: String
  /// `file`, `directory`, `link`, `special` for a socket, pipe or device, or `unreadable`.
  let kind: String
  /// The size in bytes of a file; of a directory that a purge took, with all in it.
  var size: Int64?
  /// What a link points to, as the file system stores it; an item of a container below `CONTAINER`.
  var target: String?
  /// Why it is not there, in a word.
  var reason: String?
  /// The item that decided that, where it is another.
  var decidedBy: String?

  /// An item that is, or was, at a path.
  ///
  /// - Parameters:
  ///   - path: Where it is.
  ///   - item: What it is.
  ///   - reason: Why it is not in a backup; nil where it is, or where that is no question.
  init(_ path: ContainerPath, _ item: FileTree.Item, _ reason: BackupSet.LeftOutReason? = nil) {
    self.path = path.description
    switch item.kind {
    case .file(let information):
      self.kind = "file"
      self.size = information.size
    case .directory: self.kind = "directory"
    case .link(let target):
      self.kind = "link"
      let text = EscapedText.escape(target)
      self.target = FakeContainer.pathInAnyContainer(text).map { "CONTAINER/\($0)" } ?? text
    case .special: self.kind = "special"
    case .unreadable: self.kind = "unreadable"
    }
    self.reason = reason?.word
    self.decidedBy = reason?.decidingItem.flatMap { $0 == path ? nil : $0.description }
  }

  /// An item that a purge took, with all that was in it.
  init(taken: FileTree.LostItem) {
    self.init(taken.path, taken.item)
    if taken.isDirectory { size = taken.bytes }
  }
}
