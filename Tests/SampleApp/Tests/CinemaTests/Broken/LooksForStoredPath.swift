import BackupTesting
import Cinema
import Foundation

extension BrokenApp {
  /// The settings have the movie's absolute path. After an update, the path is wrong, and the app
  /// silently finds no movie.
  static let looksForStoredPath = BrokenApp(
    "An absolute path stored, and not found without a word", in: "movies/updated",
    caughtBy: "stale-container-path", at: "settings.update"
  ) { actions in
    actions.bind("playMovie") { action in
      let path = try action.cinema.movies.file(of: action.movie).path
      try action.cinema.settings.update { $0.lastPlayed = path }
    }
    actions.bind("resume") { action in
      guard let path = try action.cinema.settings.load().lastPlayed else { return }
      _ = FileManager.default.contents(atPath: path)
    }
  }
}
