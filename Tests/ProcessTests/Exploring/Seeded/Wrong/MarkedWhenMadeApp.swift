import BackupTesting
import Foundation

/// An app that marks its folder only when it makes it.
enum MarkedWhenMadeApp: AppUnderTest {
  static let actions: AppActions = [
    "download": { action in
      let folder = action.container.applicationSupport.folder("Movies")
      if !folder.isThere {
        try folder.makeFolder()
        try folder.excludeFromBackup()
      }
      try Data.movie.write(to: folder.file(action.argument("name")), options: .atomic)
    }
  ]
}
