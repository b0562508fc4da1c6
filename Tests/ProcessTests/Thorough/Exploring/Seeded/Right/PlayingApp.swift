#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that imports and plays a movie. The action `play` fails if the import was interrupted.
enum PlayingApp: AppUnderTest {
  static let actions: AppActions = [
    "import": { action in
      try Data.movie.write(to: action.container.documents.file("1.mp4"), options: .atomic)
    },
    "play": { action in
      _ = try Data(contentsOf: action.container.documents.file("1.mp4"))
    },
  ]
}
#endif
