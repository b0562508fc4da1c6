import BackupTesting
import Cinema
import Foundation

extension BrokenApp {
  /// The settings have the movie's absolute path, which an update changes.
  static let storesAbsolutePath = BrokenApp(
    "An absolute path stored, stale after an update", in: "movies/updated",
    caughtBy: "stale-container-path", at: "settings.update"
  ) { actions in
    actions.bind("playMovie") { action in
      let path = try action.cinema.movies.file(of: action.movie).path
      try action.cinema.settings.update { $0.lastPlayed = path }
    }
    actions.bind("resume") { action in
      guard let path = try action.cinema.settings.load().lastPlayed else { return }
      try FileHandle(forReadingFrom: URL(filePath: path)).close()
    }
  }
}
