import BackupTesting
import Cinema
import Foundation

extension BrokenApp {
  /// The movies are in directories that no backup includes, but that iOS purges.
  static let keepsMoviesInPurgeablePlace = [
    keepsMovies("Caches") { $0.caches }, keepsMovies("tmp") { $0.temporary },
  ]

  /// An app that keeps the movies in a directory.
  private static func keepsMovies(
    _ name: String, _ directory: @escaping @Sendable (AppDirectories) -> URL
  ) -> BrokenApp {
    BrokenApp(
      "Offline content in \(name)", in: "movies/download", caughtBy: "user-data-purgeable",
      at: "moveItem(at: action.download()"
    ) {
      $0.bind("launch") { try $0.cinema.launchWithoutMovies() }
      $0.bind("downloadMovie") { action in
        let folder = directory(action.directories).appending(path: "Movies")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = try folder.appending(path: "\(action.movie).mp4")
        try FileManager.default.moveItem(at: action.download(), to: file)
      }
    }
  }
}
