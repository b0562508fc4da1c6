import BackupTesting
import Foundation

/// An app that makes and marks its folder at each save.
enum MarkedEachTimeApp: AppUnderTest {
  static let actions: AppActions = [
    "download": { action in
      let folder = action.container.applicationSupport.folder("Movies")
      try folder.makeFolder()
      try folder.excludeFromBackup()
      try Data.movie.write(to: folder.file(action.argument("name")), options: .atomic)
    }
  ]
}
