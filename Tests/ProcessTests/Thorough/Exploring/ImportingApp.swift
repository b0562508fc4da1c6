#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that imports files, and never marks them, or marks them with their folder.
enum ImportingApp: AppUnderTest {
  static let actions: AppActions = [
    "import": { action in
      let name: String = try action.argument("file")
      let folder = folder(action)
      try folder.makeFolder()
      try Data.movie.write(to: folder.appendingPathComponent(name), options: .atomic)
    },
    // Unpacks a book into a folder. If the folder is new, the action marks it at the end.
    "unpack": { action in
      let count: Int = try action.argument("chapters")
      let folder = folder(action)
      let isNew = !folder.isThere
      try folder.makeFolder()
      for number in 1...count {
        try Data.movie.write(to: folder.appendingPathComponent("\(number)"), options: .atomic)
      }
      if isNew { try folder.excludeFromBackup() }
    },
  ]

  private static func folder(_ action: ActionCall) -> URL {
    action.container.applicationSupport.folder("Imported")
  }
}
#endif
