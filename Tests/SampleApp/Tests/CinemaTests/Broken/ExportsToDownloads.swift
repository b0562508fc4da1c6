import BackupTesting
import Cinema
import Foundation

/// The app makes the copy for the user in a folder beside Documents, as on a Mac. A device refuses
/// this, and `try?` hides the error, so the user has no copy.
enum ExportsToDownloads: AppUnderTest {
  static let actions = AppActions.cinema.binding("exportMovie") { action in
    let downloads = action.container.url.appending(path: "Downloads")
    try? FileManager.default.createDirectory(at: downloads, withIntermediateDirectories: true)
    _ = try? action.cinema.movies.copy(action.movie, to: downloads)
  }
}
