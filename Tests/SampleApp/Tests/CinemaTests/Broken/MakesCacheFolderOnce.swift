import BackupTesting
import Cinema
import Foundation

extension BrokenApp {
  /// The app creates the folder of the posters only at its first launch, and not after a purge.
  static let makesCacheFolderOnce = BrokenApp(
    "A cache folder never made again after a purge", in: "artwork/purged",
    caughtBy: "exists-before-use", at: "write(to: file, options: .atomic)"
  ) { actions in
    actions.bind("launch") { action in
      try action.cinema.launch()
      guard action.launchCount == 1 else { return }
      try FileManager.default.createDirectory(
        at: action.cinema.artwork.folder, withIntermediateDirectories: true)
    }
    actions.bind("showPoster") { action in
      let file = try action.cinema.artwork.folder.appending(path: "\(action.movie).jpg")
      guard !FileManager.default.fileExists(atPath: file.path) else { return }
      try Data(count: 30_000).write(to: file, options: .atomic)
    }
  }
}
