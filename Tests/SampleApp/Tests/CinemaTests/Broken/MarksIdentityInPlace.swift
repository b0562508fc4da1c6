import BackupTesting
import Cinema
import Foundation

/// The app marks a new key after it has saved the key to its place. If iOS ends the app between
/// these steps, the next launch finds a key and does not mark it.
enum MarksIdentityInPlace: AppUnderTest {
  static let actions = AppActions.cinema.binding("launch") { action in
    let file = action.cinema.identity.file
    if !FileManager.default.fileExists(atPath: file.path) {
      try FileManager.default.createDirectory(
        at: action.directories.applicationSupport, withIntermediateDirectories: true)
      try Data("the key".utf8).write(to: file, options: .atomic)
      try file.setExcluded(fromBackup: true)
    }
    try action.cinema.launch()
  }
}
