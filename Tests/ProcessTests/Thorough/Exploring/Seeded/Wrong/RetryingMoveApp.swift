#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that moves its notes, and then creates the flag `moved`. Without the flag, the action
/// removes the destination before it moves the notes.
enum RetryingMoveApp: AppUnderTest {
  static let actions: AppActions = [
    "write": { action in
      let folder = action.container.documents.folder("Notes")
      try folder.makeFolder()
      try Data("Buy milk".utf8).write(to: folder.file("1.txt"), options: .atomic)
    },
    "move": { action in
      let documents = action.container.documents
      let movedFlag = documents.file("moved")
      guard !movedFlag.isThere else { return }
      try? FileManager.default.removeItem(at: documents.folder("Library"))
      try? FileManager.default.moveItem(
        at: documents.folder("Notes"), to: documents.folder("Library"))
      try Data().write(to: movedFlag)
    },
  ]
}
#endif
