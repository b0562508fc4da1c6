#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that marks a movie after it has saved it. Each launch also marks all movies.
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
