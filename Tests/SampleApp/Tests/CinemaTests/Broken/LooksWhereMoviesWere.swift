import BackupTesting
import Cinema
import Foundation

/// The settings have the movie's absolute path. After an update, the path is wrong, and the app
/// does not resume the movie.
enum LooksWhereMoviesWere: AppUnderTest {
  static let actions = AppActions.cinema
    .binding("playMovie") { action in
      let path = try action.cinema.movies.file(of: action.movie).path
      try action.cinema.settings.update { $0.lastPlayed = path }
    }
    .binding("resume") { action in
      guard let path = try action.cinema.settings.load().lastPlayed,
        FileManager.default.fileExists(atPath: path)
      else { return }
      _ = try action.cinema.resume()
    }
}
