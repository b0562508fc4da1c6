import BackupTesting
import Cinema
import Foundation

extension BrokenApp {
  /// The app creates a folder for movies beside Documents, as on a Mac. A device refuses this.
  static let downloadsBesideDocuments = BrokenApp(
    "A folder made beside Documents", in: "movies/updated", caughtBy: "refused-place",
    at: "FileManager.default.createDirectory("
  ) { actions in
    actions.bind("playMovie") { action in
      _ = try action.cinema.play(action.movie)
      try FileManager.default.createDirectory(
        at: action.container.url.appending(path: "Downloads"), withIntermediateDirectories: true)
    }
  }
}
