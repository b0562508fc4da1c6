import BackupTesting
import Cinema
import Foundation

/// The key is marked where it was saved, and only then: an app that is ended between the two finds
/// a key at its next start, and leaves it as it is.
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
