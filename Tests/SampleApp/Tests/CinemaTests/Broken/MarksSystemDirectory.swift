import BackupTesting
import Cinema
import Foundation

extension BrokenApp {
  /// A directory of the system's is marked, and what the user makes is left out with it.
  static let marksSystemDirectory = [
    marks("Documents") { $0.documents },
    marks("Library") { $0.applicationSupport.deletingLastPathComponent() },
    marks("Application Support") { $0.applicationSupport },
  ]

  /// Marks one directory at each launch.
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
