import BackupTesting
import Cinema
import Foundation

extension BrokenApp {
  /// The setting is true if the diary is backed up, but the app sets `isExcludedFromBackup` to it.
  static let invertsSetting = BrokenApp(
    "An inverted setting that excludes the user's database", in: "diary/rated",
    caughtBy: "user-data-excluded", at: "setExcluded(fromBackup: isExcluded)"
  ) { actions in
    for name in ["rateMovie", "tidyDiary"] {
      actions.bind(name) { action in
        let diary = try action.cinema.diary.open()
        try diary.insert("a row")
        try diary.checkpoint()
        let isExcluded = try action.cinema.settings.load().backsUpDiary
        try action.cinema.diary.folder.setExcluded(fromBackup: isExcluded)
      }
    }
  }
}
