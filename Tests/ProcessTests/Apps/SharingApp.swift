#if os(macOS) || os(Linux)
import BackupTesting
import Foundation
import TestSupport

/// An app that shares a file with its widget.
enum SharingApp: AppUnderTest {
  static let group = "group.com.example.app"
  static let widget = "com.example.app.widget"
  /// Has one element for each call of the action `timeline` in this process.
  private static let timelines = CollectedValues<Int>()

  static func launch(_ launch: AppLaunch) async throws {
    let line = "\(launch.bundleIdentifier) \(launch.launchCount)"
    try Data(line.utf8).write(to: launch.container.documents.appendingPathComponent("launch.txt"))
  }

  /// The file that the app and its widget share, in the group's container.
  private static func sharedFile(_ action: ActionCall) throws -> URL {
    guard let folder = action.container.group(group) else {
      throw CocoaError(.fileNoSuchFile)
    }
    return folder.appendingPathComponent("shared.txt")
  }

  static let actions: AppActions = [
    "share": { action in try Data("shared".utf8).write(to: sharedFile(action)) },
    "timeline": { action in
      timelines.add(1)
      let text = try String(contentsOf: sharedFile(action), encoding: .utf8)
      let home = URL(fileURLWithPath: NSHomeDirectory()).resolvingSymlinksInPath().path
      let isContainerHome = action.container.url.resolvingSymlinksInPath().path == home
      let line = "\(text) \(timelines.values.count) \(isContainerHome)"
      try Data(line.utf8).write(
        to: action.container.documents.appendingPathComponent("timeline.txt"))
    },
  ]
}
#endif
