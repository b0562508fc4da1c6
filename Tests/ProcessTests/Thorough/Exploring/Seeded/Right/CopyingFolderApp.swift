#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that archives a folder by saving a copy of each item. It also copies the remnant of a
/// killed save.
enum CopyingFolderApp: AppUnderTest {
  static let actions: AppActions = [
    "write": { action in
      let folder = action.container.documents.folder("Album")
      try folder.makeFolder()
      try Data("A lake".utf8).write(to: folder.file("1.txt"), options: .atomic)
    },
    "archive": { action in
      let old = action.container.documents.folder("Album")
      let new = action.container.documents.folder("Archive")
      guard old.isThere else { return }
      try new.makeFolder()
      for name in try FileManager.default.contentsOfDirectory(atPath: old.path).sorted() {
        try Data(contentsOf: old.file(name)).write(to: new.file(name), options: .atomic)
      }
      try FileManager.default.removeItem(at: old)
    },
  ]
}
#endif
