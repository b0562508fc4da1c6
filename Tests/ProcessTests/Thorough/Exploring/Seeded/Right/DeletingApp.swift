#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that deletes a note for the user, and then removes the note's name from a list.
enum DeletingApp: AppUnderTest {
  static let actions: AppActions = [
    "save": { action in
      let documents = action.container.documents
      try Data("Buy milk".utf8).write(to: documents.file("note.txt"), options: .atomic)
      try Data("note.txt".utf8).write(to: documents.file("list.txt"), options: .atomic)
    },
    "delete": { action in
      let documents = action.container.documents
      if documents.file("note.txt").isThere {
        try FileManager.default.removeItem(at: documents.file("note.txt"))
      }
      try Data().write(to: documents.file("list.txt"), options: .atomic)
    },
  ]
}
#endif
