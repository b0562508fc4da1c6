#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that keeps a database with a write-ahead log in a marked folder.
enum MarkedDatabaseApp: AppUnderTest {
  static let actions: AppActions = [
    "index": { action in
      let folder = action.container.applicationSupport.folder("Index")
      try folder.makeFolder()
      try folder.excludeFromBackup()
      try WordDatabase(folder.file("index.sqlite"), journal: "WAL", isShared: false)
        .add(action.argument("word"))
    }
  ]
}
#endif
