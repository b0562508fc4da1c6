#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that keeps pictures in its caches, and their names in Documents.
enum IndexApp: AppUnderTest {
  private static func list(_ action: ActionCall) -> URL {
    action.container.documents.file("pictures.json")
  }

  /// The pictures that the list names.
  private static func pictures(_ action: ActionCall) throws -> [URL] {
    try JSONDecoder().decode([String].self, from: Data(contentsOf: list(action))).map {
      // Foundation looks whether this is a directory.
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
    // Makes the first picture again, once it is to be shown.
    "renew": { action in
      let cover = try pictures(action)[0]
      if FileManager.default.fileExists(atPath: cover.path) { return }
      try FileManager.default.createDirectory(
        at: cover.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data([1]).write(to: cover, options: .atomic)
    },
    // Shows an empty picture if there is none.
    "read": { action in
      for picture in try pictures(action) { _ = try? Data(contentsOf: picture) }
      for picture in try pictures(action) {
        _ = FileManager.default.contents(atPath: picture.path)
      }
    },
  ]
}
#endif
