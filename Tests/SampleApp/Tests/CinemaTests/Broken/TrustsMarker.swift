import BackupTesting
import Cinema
import Foundation

extension BrokenApp {
  /// The settings are backed up and name a movie, but the movie is not backed up.
  static let trustsMarker = BrokenApp(
    "A marker that is backed up while its data is not", in: "movies/restored",
    caughtBy: "exists-before-use", at: "FileHandle(forReadingFrom: movie)"
  ) { actions in
    actions.bind("resume") { action in
      guard let name = try action.cinema.settings.load().lastPlayed else { return }
      let movie = action.cinema.movies.folder.appending(path: name)
      try FileHandle(forReadingFrom: movie).close()
    }
  }
}
