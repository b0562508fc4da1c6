#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that plays a movie of the user, and fails if the import of the movie never ended.
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
