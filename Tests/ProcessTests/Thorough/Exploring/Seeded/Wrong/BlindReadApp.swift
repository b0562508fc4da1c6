#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that reads a thumbnail from Caches without checking that the file exists.
enum BlindReadApp: AppUnderTest {
  static let actions: AppActions = [
    "makeThumbnail": { action in
      let folder = action.container.caches.folder("Thumbnails")
      try folder.makeFolder()
      try Data(count: 300).write(to: folder.file("movie.jpg"), options: .atomic)
    },
    "show": { action in
      _ = try Data(contentsOf: action.container.caches.file("Thumbnails/movie.jpg"))
    },
  ]
}
#endif
