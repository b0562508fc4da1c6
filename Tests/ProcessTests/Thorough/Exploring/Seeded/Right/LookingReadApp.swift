#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that creates a thumbnail again if Caches does not contain it.
enum LookingReadApp: AppUnderTest {
  static let actions: AppActions = [
    "show": { action in
      let folder = action.container.caches.folder("Thumbnails")
      let thumbnail = folder.file("movie.jpg")
      guard (try? Data(contentsOf: thumbnail)) == nil else { return }
      try folder.makeFolder()
      try Data(count: 300).write(to: thumbnail, options: .atomic)
    }
  ]
}
#endif
