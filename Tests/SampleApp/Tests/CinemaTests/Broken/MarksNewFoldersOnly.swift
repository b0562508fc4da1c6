import BackupTesting
import Cinema
import Foundation

extension BrokenApp {
  /// The app marks the folder when it creates it, but not a folder of an older version.
  static let marksNewFoldersOnly = BrokenApp(
    "Marking only when the folder is created", in: "movies/folder-of-version-1",
    caughtBy: "recreatable-data-backed-up"
  ) { actions in
    actions.bind("launch") { action in
      try action.cinema.launchWithoutMovies()
      let folder = action.cinema.movies.folder
      guard !FileManager.default.fileExists(atPath: folder.path) else { return }
      try folder.makeExcludedFolder()
    }
  }
}
