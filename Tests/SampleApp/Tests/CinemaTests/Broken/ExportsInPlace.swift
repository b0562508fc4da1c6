import BackupTesting
import Cinema
import Foundation

/// The copy for the user is made where it is to be: half of one is in the way of every later export.
enum ExportsInPlace: AppUnderTest {
  static let actions = AppActions.cinema.binding("exportMovie") { action in
    let movies = action.cinema.movies
    guard try FileManager.default.fileExists(atPath: movies.file(of: action.movie).path) else {
      return
    }
    try movies.copy(action.movie, to: action.directories.documents)
      .setExcluded(fromBackup: false)
  }
}
