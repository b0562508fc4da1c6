import BackupTesting
import Cinema
import Foundation

extension BrokenApp {
  /// A library opens the diary. By default, it excludes the databases that it opens from backups.
  static let takesLibraryDefault = BrokenApp(
    "User data excluded by a library's default", in: "diary/rated",
    caughtBy: "user-data-excluded", at: "folder.setExcluded(fromBackup: isExcludedFromBackup)"
  ) { actions in
    for name in ["rateMovie", "tidyDiary"] {
      actions.bind(name) { action in
        try openedByLibrary(at: action.cinema.diary.folder).insert("a row")
      }
    }
  }

  /// The library's function that opens a database.
  private static func openedByLibrary(
    at folder: URL, isExcludedFromBackup: Bool = true
  ) throws -> Database {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try folder.setExcluded(fromBackup: isExcludedFromBackup)
    return try Database(at: folder.appending(path: "diary.sqlite"))
  }
}
