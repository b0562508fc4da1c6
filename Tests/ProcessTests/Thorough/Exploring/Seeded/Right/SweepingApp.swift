#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that marks a movie once it is saved, and all of them at each start.
enum SweepingApp: AppUnderTest {
  static func launch(_ launch: AppLaunch) async throws {
    let folder = launch.container.applicationSupport
    guard folder.isThere else { return }
    for movie in try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    {
      try movie.excludeFromBackup()
    }
  }

  static let actions: AppActions = [
    "download": { action in
      let folder = action.container.applicationSupport
      let movie = folder.file("movie.mp4")
      guard !movie.isThere else { return }
      try folder.makeFolder()
      try Data.movie.write(to: movie, options: .atomic)
      try movie.excludeFromBackup()
    }
  ]
}
#endif
