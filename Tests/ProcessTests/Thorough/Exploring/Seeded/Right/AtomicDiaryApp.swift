#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that saves the user's diary atomically.
enum AtomicDiaryApp: AppUnderTest {
  static let actions: AppActions = [
    "save": { action in
      let text: String = try action.argument("text")
      try Data(text.utf8).write(
        to: action.container.documents.file("diary.txt"), options: .atomic)
    }
  ]
}
#endif
