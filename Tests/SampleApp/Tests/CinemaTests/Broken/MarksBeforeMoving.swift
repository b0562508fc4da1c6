import BackupTesting
import Cinema
import Foundation

extension BrokenApp {
  /// The app marks the movie's place before it moves the movie there. Nothing is there yet, and
  /// `try?` hides the error.
  static let marksBeforeMoving = BrokenApp(
    "Marking before the file is moved into place", in: "movies/download",
    caughtBy: markedMissing, at: "try? movies.file(of: action.movie).setExcluded"
  ) { actions in
    actions.bind("launch") { try $0.cinema.launchWithoutMovies() }
    actions.bind("downloadMovie") { action in
      let movies = action.cinema.movies
      try? movies.file(of: action.movie).setExcluded(fromBackup: true)
      try movies.keepUnmarked(action.download(), as: action.movie)
    }
  }

  #if os(Linux)
  /// The shim tells the kit about the mark on a missing item.
  private static let markedMissing = "exists-before-set"
  #else
  /// On Apple platforms, the kit sees only the result, an unmarked movie in the backup.
  private static let markedMissing = "recreatable-data-backed-up"
  #endif
}
