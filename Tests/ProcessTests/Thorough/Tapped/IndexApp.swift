#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that keeps pictures in Caches, and their names in Documents.
enum IndexApp: AppUnderTest {
  private static func list(_ action: ActionCall) -> URL {
    action.container.documents.file("pictures.json")
  }

  /// The locations of the pictures that the list names.
  private static func pictures(_ action: ActionCall) throws -> [URL] {
    try JSONDecoder().decode([String].self, from: Data(contentsOf: list(action))).map {
      // This call of Foundation also looks whether the item is a directory.
      action.container.caches.folder("Pictures").appendingPathComponent($0)
    }
  }

  static let actions: AppActions = [
    "add": { action in
      let folder = action.container.caches.folder("Pictures")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let names = ["cover.png", "other.png"]
      for name in names { try Data([1]).write(to: folder.file(name)) }
      try JSONEncoder().encode(names).write(to: list(action), options: .atomic)
    },
    "look": { action in
      for picture in try pictures(action)
      where !FileManager.default.fileExists(atPath: picture.path) {
        try Data("missing".utf8).write(to: action.container.documents.file("report.txt"))
      }
    },
    // Creates the first picture again if it is missing.
    "renew": { action in
      let cover = try pictures(action)[0]
      if FileManager.default.fileExists(atPath: cover.path) { return }
      try FileManager.default.createDirectory(
        at: cover.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data([1]).write(to: cover, options: .atomic)
    },
    // Reads the pictures without checking whether they exist.
    "read": { action in
      for picture in try pictures(action) { _ = try? Data(contentsOf: picture) }
      for picture in try pictures(action) {
        _ = FileManager.default.contents(atPath: picture.path)
      }
    },
  ]
}
#endif
