#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that saves and then marks, each time, as Apple shows it.
enum MarkedWhenSavedApp: AppUnderTest {
  static let actions: AppActions = [
    "download": { action in
      let folder = action.container.applicationSupport
      try folder.makeFolder()
      let movie = folder.file("movie.mp4")
      try Data.movie.write(to: movie, options: .atomic)
      try movie.excludeFromBackup()
    }
  ]
}
#endif
