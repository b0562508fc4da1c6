#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that makes a thumbnail anew where its caches have none.
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
