#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that gives a note another title by saving a file that holds it, and then removing the former one.
enum RetitledFirstApp: AppUnderTest {
  static let actions: AppActions = [
    "save": { action in
      try ConvertingFirstVersionApp.save("Lake", "Swim across", in: action.container.documents)
    },
    "rename": { try RetitlingApp.rename(in: $0.container.documents, removingFirst: false) },
  ]
}
#endif
