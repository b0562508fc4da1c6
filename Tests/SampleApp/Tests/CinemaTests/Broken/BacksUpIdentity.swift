import BackupTesting
import Cinema
import Foundation

extension BrokenApp {
  /// The key is not marked, so a second phone that is restored claims to be the first.
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
