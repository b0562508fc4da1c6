import BackupTesting
import Cinema
import Foundation

extension BrokenApp {
  /// The app does not mark its key. A restored second phone has the key of the first phone.
  static let backsUpIdentity = BrokenApp(
    "A device identity restored to a second phone", in: "identity/second-phone",
    caughtBy: "recreatable-data-backed-up", at: "write(to: file, options: .atomic)"
  ) { actions in
    actions.bind("launch") { action in
      try FileManager.default.createDirectory(
        at: action.directories.applicationSupport, withIntermediateDirectories: true)
      let file = action.cinema.identity.file
      if !FileManager.default.fileExists(atPath: file.path) {
        try Data("the key".utf8).write(to: file, options: .atomic)
      }
      try action.cinema.launch()
    }
  }
}
