#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that changes a note's title: it saves a file with the new title, and then removes the old
/// file.
enum RetitledFirstApp: AppUnderTest {
  static let actions: AppActions = [
    "save": { action in
      try ConvertingThenRemovingApp.save("Lake", "Swim across", in: action.container.documents)
    },
    "rename": { try RetitlingApp.rename(in: $0.container.documents, removingFirst: false) },
  ]
}
#endif
