#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that removes the user's diary before it moves a new version to the same path.
enum RemovedFirstApp: AppUnderTest {
  static let actions: AppActions = [
    "save": { action in
      let diary = action.container.documents.file("diary.txt")
      let new = action.container.temporary.file("diary.txt")
      try Data(action.argument("text", as: String.self).utf8).write(to: new)
      if diary.isThere { try FileManager.default.removeItem(at: diary) }
      try FileManager.default.moveItem(at: new, to: diary)
    }
  ]
}
#endif
