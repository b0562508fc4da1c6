#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that gives a note another name, and does not notice that the storage is full.
enum UnnoticedFullApp: AppUnderTest {
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
