#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that marks a movie only after it has moved the movie to its directory. If the movie
/// exists, a later download does not mark it.
enum MarkedAfterMoveApp: AppUnderTest {
  static let actions: AppActions = [
    "download": { action in
      let folder = action.container.applicationSupport
      let movie = folder.file("movie.mp4")
      guard !movie.isThere else { return }
      let part = action.container.temporary.file("movie.part")
      try Data.movie.write(to: part)
      try folder.makeFolder()
      try FileManager.default.moveItem(at: part, to: movie)
      try movie.excludeFromBackup()
    }
  ]
}
#endif
