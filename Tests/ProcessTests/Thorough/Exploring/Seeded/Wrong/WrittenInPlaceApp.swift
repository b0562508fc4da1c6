#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that overwrites the user's diary in place.
enum WrittenInPlaceApp: AppUnderTest {
  static let actions: AppActions = [
    "save": { action in
      let text: String = try action.argument("text")
      try Data(text.utf8).write(to: action.container.documents.file("diary.txt"))
    }
  ]
}
#endif
