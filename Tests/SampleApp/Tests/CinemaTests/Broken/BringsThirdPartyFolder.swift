import BackupTesting
import Cinema
import Foundation

extension BrokenApp {
  /// A library keeps what it has to report in a folder that the app's developer knows nothing of.
  static let bringsThirdPartyFolder = BrokenApp(
    "Third-party folders no one classified", in: "first-launch", caughtBy: "undeclared-item",
    at: "events.log"
  ) { actions in
    actions.bind("launch") { action in
      try action.cinema.launch()
      let folder = action.directories.applicationSupport.appending(path: "com.example.analytics")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data("launch\n".utf8).write(to: folder.appending(path: "events.log"))
    }
  }
}
