#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that removes a note from its index, and then moves the note to a bin in Caches, which iOS
/// may purge.
enum TrashingApp: AppUnderTest {
  static let actions: AppActions = [
    "write": { action in
      let documents = action.container.documents
      try Data("Swim".utf8).write(to: documents.file("note.txt"), options: .atomic)
      try Data("note.txt\n".utf8).write(to: documents.file("index.txt"), options: .atomic)
    },
    "delete": { action in
      let (documents, bin) = (action.container.documents, action.container.caches.folder("Bin"))
      try Data("none\n".utf8).write(to: documents.file("index.txt"), options: .atomic)
      try bin.makeFolder()
      guard documents.file("note.txt").isThere else { return }
      try FileManager.default.moveItem(
        at: documents.file("note.txt"), to: bin.file("note.txt"))
    },
  ]
}
#endif
