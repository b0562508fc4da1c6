#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app whose export takes the mark along, clears it afterwards, and does nothing where the file is.
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
      // On Apple platforms the copy has it already.
      try export.excludeFromBackup()
      try export.includeInBackup()
    }
  ]
}
#endif
