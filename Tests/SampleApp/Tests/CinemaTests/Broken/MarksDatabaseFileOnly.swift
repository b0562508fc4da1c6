import BackupTesting
import Cinema
import Foundation

extension BrokenApp {
  /// The app marks only the database, so the files beside it are backed up.
  static let marksDatabaseFileOnly = BrokenApp(
    "Only the .sqlite is marked, not its siblings", in: "catalogue/refreshed",
    caughtBy: "incomplete-group", at: "catalogue.insert"
  ) { actions in
    actions.bind("launch") { action in
      _ = try action.cinema.identity.key()
      try action.cinema.movies.prepare()
    }
    actions.bind("refreshCatalogue") { action in
      let folder = action.cinema.catalogue.folder
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let catalogue = try Database(at: folder.appending(path: "catalogue.sqlite"))
      try catalogue.insert("Metropolis")
      try catalogue.file.setExcluded(fromBackup: true)
    }
  }
}
