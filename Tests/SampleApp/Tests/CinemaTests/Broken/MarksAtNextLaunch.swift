import BackupTesting
import Cinema
import Foundation

extension BrokenApp {
  /// The app marks a movie at the next launch, but a backup can come before the launch.
  static let marksAtNextLaunch = BrokenApp(
    "Marking at next launch only", in: "movies/download",
    caughtBy: "recreatable-data-backed-up", at: ".keepUnmarked"
  ) { actions in
    actions.bind("launch") { action in
      try action.cinema.launchWithoutMovies()
      let folder = action.cinema.movies.folder
      let movies = try? FileManager.default.contentsOfDirectory(
        at: folder, includingPropertiesForKeys: nil)
      for movie in movies ?? [] { try movie.setExcluded(fromBackup: true) }
    }
    actions.bind("downloadMovie") { action in
      try action.cinema.movies.keepUnmarked(action.download(), as: action.movie)
    }
  }
}
