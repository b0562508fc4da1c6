import BackupTesting
import Cinema
import Foundation

/// The settings name the movie that was played last. They are in the backup, but the movie is not.
/// The app hides the error with `try?`, so only its own `check` finds the missing movie.
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
