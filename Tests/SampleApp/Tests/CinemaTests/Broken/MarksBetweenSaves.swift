import BackupTesting
import Cinema
import Foundation

extension BrokenApp {
  /// The movie is saved and marked, and then saved once more with its subtitles: the mark goes with
  /// the file of the first save.
  static let marksBetweenSaves = BrokenApp(
    "A mark set between two saves of one download", in: "movies/download",
    caughtBy: lostMark, at: ".keepUnmarked"
  ) { actions in
    actions.bind("launch") { try $0.cinema.launchWithoutMovies() }
    actions.bind("downloadMovie") { action in
      let movies = action.cinema.movies
      try movies.keepUnmarked(action.download(), as: action.movie)
      try movies.file(of: action.movie).setExcluded(fromBackup: true)
      try movies.keepUnmarked(action.download(), as: action.movie)
    }
  }

  #if os(Linux)
  /// The shim tells the kit of the mark.
  private static let lostMark = "reapply-on-save"
  #else
  /// Apple's Foundation tells nobody of it; the outcome is seen.
  private static let lostMark = "recreatable-data-backed-up"
  #endif
}
