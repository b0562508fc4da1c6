import BackupTesting
import Cinema
import Foundation

extension BrokenApp {
  /// The app saves the movie and marks it, and then saves it again with its subtitles. The second
  /// file has no mark.
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
  /// The shim tells the kit about the mark.
  private static let lostMark = "reapply-on-save"
  #else
  /// On Apple platforms, the kit sees only the result, an unmarked movie in the backup.
  private static let lostMark = "recreatable-data-backed-up"
  #endif
}
