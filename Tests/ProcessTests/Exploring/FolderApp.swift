#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that saves what can be downloaded again into a folder that it marks.
enum FolderApp: AppUnderTest {
  static let actions: AppActions = [
    // The folder is marked only when it is made.
    "once": { action in
      let folder = folder(action)
      if !FileManager.default.fileExists(atPath: folder.path) {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try folder.excludeFromBackup()
      }
      try save(action, in: folder)
    },
    // It is marked at each save.
    "always": { action in
      let folder = folder(action)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try folder.excludeFromBackup()
      try save(action, in: folder)
    },
  ]

  private static func folder(_ action: ActionCall) -> URL {
    action.container.applicationSupport.appendingPathComponent("Movies", isDirectory: true)
  }

  private static func save(_ action: ActionCall, in folder: URL) throws {
    let id: String = try action.argument("id")
    try Data(repeating: 7, count: 5000).write(
      to: folder.appendingPathComponent("\(id).mp4"), options: .atomic)
  }
}
#endif
