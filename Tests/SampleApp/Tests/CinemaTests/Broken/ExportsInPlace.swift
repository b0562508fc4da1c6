import BackupTesting
import Cinema
import Foundation

/// The app writes the copy for the user directly to its place. If iOS ends the app during the
/// write, half a copy prevents each later export.
enum ExportsInPlace: AppUnderTest {
  static let actions = AppActions.cinema.binding("exportMovie") { action in
    let movie = try action.cinema.movies.file(of: action.movie)
    guard FileManager.default.fileExists(atPath: movie.path) else { return }
    let copy = try action.directories.documents.appending(path: "Movie \(action.movie).mp4")
    try Data(contentsOf: movie).write(to: copy, options: .withoutOverwriting)
  }
}
