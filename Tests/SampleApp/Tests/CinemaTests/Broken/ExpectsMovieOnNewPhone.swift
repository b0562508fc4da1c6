import BackupTesting
import Cinema
import Foundation

/// The settings are in the backup and name the movie that was played last; the movie is not, and
/// resuming hides that by `try?`. What the app takes for granted its own check says.
enum ExpectsMovieOnNewPhone: AppUnderTest {
  static func check(_ launch: AppLaunch) async throws {
    let cinema = CinemaApp(directories: AppDirectories(home: launch.container.url))
    guard let name = try cinema.settings.load().lastPlayed else { return }
    _ = try FileHandle(forReadingFrom: cinema.movies.folder.appending(path: name))
  }

  static let actions = AppActions.cinema.binding("resume") { action in
    guard let name = try action.cinema.settings.load().lastPlayed else { return }
    _ = try? FileHandle(forReadingFrom: action.cinema.movies.folder.appending(path: name))
  }
}
