#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app whose version 2.0 moves its folder of movies from Caches, and marks the folder only after
/// the move.
enum MigratingApp: AppUnderTest {
  static func launch(_ launch: AppLaunch) async throws {
    let old = launch.container.caches.folder("Movies")
    guard launch.appVersion != "1.0", old.isThere else { return }
    let new = launch.container.applicationSupport.folder("Movies")
    try launch.container.applicationSupport.makeFolder()
    try FileManager.default.moveItem(at: old, to: new)
    try new.excludeFromBackup()
  }

  static let actions: AppActions = [
    "download": { action in
      let folder = action.container.caches.folder("Movies")
      try folder.makeFolder()
      try Data.movie.write(to: folder.file("movie.mp4"), options: .atomic)
    },
    "watch": { _ in },
  ]
}
#endif
