import BackupTesting
import Cinema
import Foundation

extension BrokenApp {
  /// The movie's file has the mark, so the copy for the user has the mark too.
  static let exportsMark = BrokenApp(
    "A copy for the user that keeps the mark", in: "movies/exported",
    caughtBy: "user-data-excluded", at: "movies.copy(action.movie"
  ) { actions in
    actions.bind("launch") { try $0.cinema.launchWithoutMovies() }
    actions.bind("downloadMovie") { action in
      let movies = action.cinema.movies
      try movies.keepUnmarked(action.download(), as: action.movie)
      try movies.file(of: action.movie).setExcluded(fromBackup: true)
    }
    actions.bind("exportMovie") { action in
      _ = try action.cinema.movies.copy(action.movie, to: action.directories.documents)
    }
  }
}
