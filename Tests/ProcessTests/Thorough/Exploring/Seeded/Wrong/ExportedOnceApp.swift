#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that exports a marked movie, and then removes the mark from the copy. If the copy exists,
/// a later export does nothing.
enum ExportedOnceApp: AppUnderTest {
  static let actions: AppActions = [
    "export": { action in
      let export = action.container.documents.file("movie.mp4")
      guard !export.isThere else { return }
      let folder = action.container.applicationSupport
      let movie = folder.file("movie.mp4")
      try folder.makeFolder()
      try Data.movie.write(to: movie, options: .atomic)
      try movie.excludeFromBackup()
      try FileManager.default.copyItem(at: movie, to: export)
      // On Apple platforms, the copy already has the mark.
      try export.excludeFromBackup()
      try export.includeInBackup()
    }
  ]
}
#endif
