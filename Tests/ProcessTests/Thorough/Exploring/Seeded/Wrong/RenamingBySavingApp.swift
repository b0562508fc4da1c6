#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that renames a note: it removes the note, and then saves it with the new name.
enum RenamingBySavingApp: AppUnderTest {
  static let actions: AppActions = [
    "save": { action in
      try Data("Buy milk".utf8).write(
        to: action.container.documents.file("note.txt"), options: .atomic)
    },
    "rename": { action in
      let old = action.container.documents.file("note.txt")
      let new = action.container.documents.file("list.txt")
      guard let note = try? Data(contentsOf: old) else { return }
      try FileManager.default.removeItem(at: old)
      try note.write(to: new, options: .atomic)
    },
  ]
}
#endif
