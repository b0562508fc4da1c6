import BackupTesting
import Cinema
import Foundation

/// The settings hold the movie's whole path, and resuming only asks whether it is there: after an
/// update it is not, and the user begins again.
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
