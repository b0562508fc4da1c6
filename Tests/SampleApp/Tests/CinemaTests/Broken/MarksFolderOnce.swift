import BackupTesting
import Cinema
import Foundation

extension BrokenApp {
  /// The app marks the folder only if it has no settings file. After a restore, the settings file
  /// is there, but the folder is new.
  static let marksFolderOnce = BrokenApp(
    "The folder is made again unmarked after a restore", in: "movies/restored",
    caughtBy: "reapply-on-save", at: "FileManager.default.createDirectory("
  ) { actions in
    actions.bind("launch") { action in
      let app = action.cinema
      try app.launchWithoutMovies()
      try FileManager.default.createDirectory(
        at: app.movies.folder, withIntermediateDirectories: true)
      guard !FileManager.default.fileExists(atPath: app.settings.file.path) else { return }
      try app.movies.folder.setExcluded(fromBackup: true)
      try app.settings.update { _ in }
    }
    actions.bind("downloadMovie") { action in
      try action.cinema.movies.keepUnmarked(action.download(), as: action.movie)
    }
  }
}
