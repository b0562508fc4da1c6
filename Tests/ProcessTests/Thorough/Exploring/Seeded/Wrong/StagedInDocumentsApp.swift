#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that downloads a movie to Documents with a random name, and then moves it to a marked
/// folder.
enum StagedInDocumentsApp: AppUnderTest {
  static let actions: AppActions = [
    "download": { action in
      let folder = action.container.applicationSupport.folder("Movies")
      try folder.makeFolder()
      try folder.excludeFromBackup()
      let movie = folder.file("movie.mp4")
      guard !movie.isThere else { return }
      let part = action.container.documents.file("\(UUID().uuidString).part")
      try Data.movie.write(to: part)
      try FileManager.default.moveItem(at: part, to: movie)
    }
  ]
}
#endif
