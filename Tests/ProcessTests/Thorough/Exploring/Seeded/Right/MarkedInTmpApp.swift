#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that marks a movie in tmp before it moves the movie to Application Support.
enum MarkedInTmpApp: AppUnderTest {
  static let actions: AppActions = [
    "download": { action in
      let folder = action.container.applicationSupport
      let movie = folder.file("movie.mp4")
      guard !movie.isThere else { return }
      let part = action.container.temporary.file("movie.part")
      try Data.movie.write(to: part)
      try part.excludeFromBackup()
      try folder.makeFolder()
      try FileManager.default.moveItem(at: part, to: movie)
    }
  ]
}
#endif
