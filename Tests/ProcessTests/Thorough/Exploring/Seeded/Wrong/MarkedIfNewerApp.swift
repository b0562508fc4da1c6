#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that saves and marks its feed only if the server has a new version. It saves the
/// version's `etag` before it marks the feed.
enum MarkedIfNewerApp: AppUnderTest {
  static let actions: AppActions = [
    "refresh": { action in
      let known = action.container.caches.file("feed.etag")
      let new: String = try action.argument("etag")
      guard (try? String(contentsOf: known, encoding: .utf8)) != new else { return }
      let folder = action.container.applicationSupport
      try folder.makeFolder()
      let feed = folder.file("feed.json")
      try Data.movie.write(to: feed, options: .atomic)
      try new.write(to: known, atomically: true, encoding: .utf8)
      try feed.excludeFromBackup()
    }
  ]
}
#endif
