import BackupTesting
import Cinema
import Foundation

/// The copy for the user is written where it is to be: half of one is in the way of every later
/// export.
enum ExportsInPlace: AppUnderTest {
  static let actions = AppActions.cinema.binding("exportMovie") { action in
    let movie = try action.cinema.movies.file(of: action.movie)
    guard FileManager.default.fileExists(atPath: movie.path) else { return }
    let copy = try action.directories.documents.appending(path: "Movie \(action.movie).mp4")
    try Data(contentsOf: movie).write(to: copy, options: .withoutOverwriting)
  }
}
