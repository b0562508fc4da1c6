#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that moves its notes and notes that it has; until then it clears the place that they go to.
enum RetryingMoveApp: AppUnderTest {
  static let actions: AppActions = [
    "write": { action in
      let folder = action.container.documents.folder("Notes")
      try folder.makeFolder()
      try Data("Buy milk".utf8).write(to: folder.file("1.txt"), options: .atomic)
    },
    "move": { action in
      let documents = action.container.documents
      let done = documents.file("moved")
      guard !done.isThere else { return }
      try? FileManager.default.removeItem(at: documents.folder("Library"))
      try? FileManager.default.moveItem(
        at: documents.folder("Notes"), to: documents.folder("Library"))
      try Data().write(to: done)
    },
  ]
}
#endif
