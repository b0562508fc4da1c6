import BackupTesting
import Cinema
import Foundation

extension BrokenApp {
  /// The app marks a directory of the system, so the user's own files in it are not backed up.
  static let marksSystemDirectory = [
    marks("Documents") { $0.documents },
    marks("Library") { $0.applicationSupport.deletingLastPathComponent() },
    marks("Application Support") { $0.applicationSupport },
  ]

  /// An app that marks a directory at each launch.
  private static func marks(
    _ name: String, _ directory: @escaping @Sendable (AppDirectories) -> URL
  ) -> BrokenApp {
    BrokenApp(
      "Marking \(name)", in: "first-launch", caughtBy: "system-directory-marked",
      at: "setExcluded(fromBackup: true)"
    ) {
      $0.bind("launch") { action in
        try action.cinema.launch()
        try directory(action.directories).setExcluded(fromBackup: true)
      }
    }
  }
}
