import BackupTesting
import Cinema
import Foundation

extension BrokenApp {
  /// The app marks only a new movie. If a second download replaces the file, the new file has no
  /// mark.
  static let marksAtFirstSaveOnly = BrokenApp(
    "One mark at first save, none later", in: "movies/download-again",
    caughtBy: "reapply-on-save", at: ".keepUnmarked"
  ) { actions in
    actions.bind("launch") { try $0.cinema.launchWithoutMovies() }
    actions.bind("downloadMovie") { action in
      let movies = action.cinema.movies
      let file = try movies.file(of: action.movie)
      let isNew = !FileManager.default.fileExists(atPath: file.path)
      try movies.keepUnmarked(action.download(), as: action.movie)
      if isNew { try file.setExcluded(fromBackup: true) }
    }
  }
}
