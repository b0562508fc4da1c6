import BackupTesting
import Cinema
import Foundation

extension BrokenApp {
  /// A library stores its reports in a folder that the app's developer does not know.
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
