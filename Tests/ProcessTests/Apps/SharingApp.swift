#if os(macOS) || os(Linux)
import BackupTesting
import Foundation
import TestSupport

/// An app that shares a file with its widget.
enum SharingApp: AppUnderTest {
  static let group = "group.com.example.app"
  static let widget = "com.example.app.widget"
  /// How often this process has been asked for something.
  private static let count = Notes<Int>()

  static func launch(_ launch: AppLaunch) async throws {
    let line = "\(launch.bundleIdentifier) \(launch.launchCount)"
    try Data(line.utf8).write(to: launch.container.documents.appendingPathComponent("launch.txt"))
  }

  /// The file that both use.
  private static func shared(_ action: ActionCall) throws -> URL {
    guard let folder = action.container.group(group) else {
      throw CocoaError(.fileNoSuchFile)
    }
    return folder.appendingPathComponent("shared.txt")
  }

  static let actions: AppActions = [
    "share": { action in try Data("shared".utf8).write(to: shared(action)) },
    "timeline": { action in
      count.add(1)
      let text = try String(contentsOf: shared(action), encoding: .utf8)
      let home = URL(fileURLWithPath: NSHomeDirectory()).resolvingSymlinksInPath().path
      let isHome = action.container.url.resolvingSymlinksInPath().path == home
      let line = "\(text) \(count.values.count) \(isHome)"
      try Data(line.utf8).write(
        to: action.container.documents.appendingPathComponent("timeline.txt"))
    },
  ]
}
#endif
