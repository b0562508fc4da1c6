#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app whose actions do with Foundation what the app steps of a scenario file do.
enum ComparedStoryApp: AppUnderTest {
  static let actions: AppActions = [
    "makeDirectory": { action in
      try FileManager.default.createDirectory(
        at: url(action, "path"), withIntermediateDirectories: true)
    },
    "save": { action in
      let size: String = try action.argument("size")
      try Data(count: Int(size) ?? 0).write(to: url(action, "path"), options: .atomic)
    },
    "exclude": { try url($0, "path").excludeFromBackup() },
    "link": { action in
      try FileManager.default.createSymbolicLink(
        at: url(action, "path"), withDestinationURL: url(action, "to"))
    },
    "read": { _ = try Data(contentsOf: url($0, "path")) },
  ]

  private static func url(_ action: ActionCall, _ name: String) throws -> URL {
    let path: String = try action.argument(name)
    return action.container.url.appendingPathComponent(path)
  }
}
#endif
