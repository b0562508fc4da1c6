#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that copies files, and that marks a file between two saves.
enum CopyingApp: AppUnderTest {
  private static var manager: FileManager { .default }

  static let actions: AppActions = [
    "save": { action in
      let album = action.container.documents.folder("Album")
      try manager.createDirectory(at: album, withIntermediateDirectories: true)
      for name in ["1", "2"] {
        try Data(repeating: 7, count: 300_000).write(to: album.file(name))
      }
    },
    "copyFile": { action in
      let album = action.container.documents.folder("Album")
      try manager.copyItem(at: album.file("1"), to: action.container.documents.file("Copy"))
    },
    "copyDirectory": { action in
      let documents = action.container.documents
      try manager.copyItem(at: documents.folder("Album"), to: documents.folder("Copy"))
    },
    "writeByHand": { action in
      let documents = action.container.documents
      let bytes = try Data(contentsOf: documents.folder("Album").file("1"))
      try bytes.write(to: documents.file("Copy"))
    },
    // The second save replaces the file, and so removes the mark.
    "saveTwice": { action in
      let file = action.container.documents.file("feed")
      try Data([1]).write(to: file, options: .atomic)
      try file.excludeFromBackup()
      try Data([1, 2]).write(to: file, options: .atomic)
    },
    "saveTwiceAndMark": { action in
      let file = action.container.documents.file("feed")
      for count in 1...2 {
        try Data(count: count).write(to: file, options: .atomic)
        try file.excludeFromBackup()
      }
    },
    "markAndUnmark": { action in
      let file = action.container.documents.file("feed")
      try Data([1]).write(to: file, options: .atomic)
      try file.excludeFromBackup()
      try file.includeInBackup()
    },
  ]
}
#endif
