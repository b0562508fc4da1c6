import BackupTesting
import Cinema
import Foundation

/// The user's copy goes to a folder of its own beside Documents, as on a Mac. A device refuses
/// that, and `try?` hides it: the user has no copy.
enum ExportsToDownloads: AppUnderTest {
  static let actions = AppActions.cinema.binding("exportMovie") { action in
    let downloads = action.container.url.appending(path: "Downloads")
    try? FileManager.default.createDirectory(at: downloads, withIntermediateDirectories: true)
    _ = try? action.cinema.movies.copy(action.movie, to: downloads)
  }
}
