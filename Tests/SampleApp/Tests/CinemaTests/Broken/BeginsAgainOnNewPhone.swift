import BackupTesting
import Cinema
import Foundation

extension BrokenApp {
  /// The device's identity is in no backup. If it is missing, the app assumes that this is its
  /// first launch, and deletes files that an earlier installation may have left.
  static let beginsAgainOnNewPhone = BrokenApp(
    "A restored phone taken for a new one", in: "watchlist/saved", caughtBy: "user-data-lost",
    at: "removeItem(at: action.cinema.watchlist.file)"
  ) { actions in
    actions.bind("launch") { action in
      let identity = action.directories.applicationSupport.appending(path: "Identity.key")
      if !FileManager.default.fileExists(atPath: identity.path) {
        try? FileManager.default.removeItem(at: action.cinema.watchlist.file)
      }
      try action.cinema.launch()
    }
  }
}
