#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that renames a note by saving it with the new name. It ignores that the save fails if the
/// storage is full.
enum IgnoredFullStorageApp: AppUnderTest {
  static let actions: AppActions = [
    "write": { action in
      try Data("Swim across the lake".utf8)
        .write(to: action.container.documents.file("note.txt"), options: .atomic)
    },
    "rename": { action in
      let documents = action.container.documents
      let (old, new) = (documents.file("note.txt"), documents.file("lake.txt"))
      guard old.isThere else { return }
      try? Data(contentsOf: old).write(to: new, options: .atomic)
      try FileManager.default.removeItem(at: old)
    },
  ]
}
#endif
