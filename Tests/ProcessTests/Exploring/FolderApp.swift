#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that downloads movies into a marked folder.
enum FolderApp: AppUnderTest {
  static let actions: AppActions = [
    // This action marks the folder only after it has created the folder.
    "once": { action in
      let folder = folder(action)
      if !FileManager.default.fileExists(atPath: folder.path) {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try folder.excludeFromBackup()
      }
      try save(action, in: folder)
    },
    // This action marks the folder before each save.
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
