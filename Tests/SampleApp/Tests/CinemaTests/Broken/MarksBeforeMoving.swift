import BackupTesting
import Cinema
import Foundation

extension BrokenApp {
  /// The mark is set where the movie will be; nothing is there yet, and `try?` hides the error.
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
  /// The shim tells the kit of the error that the code hides.
  private static let markedMissing = "exists-before-set"
  #else
  /// Apple's Foundation tells nobody of the error that the code hides; the outcome is seen.
  private static let markedMissing = "recreatable-data-backed-up"
  #endif
}
