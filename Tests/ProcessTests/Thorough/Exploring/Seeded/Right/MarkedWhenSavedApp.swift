#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that marks a movie after each save, as in Apple's examples.
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
