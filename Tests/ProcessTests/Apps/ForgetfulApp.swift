#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that begins with an empty list wherever it lacks its index, which no backup holds.
enum ForgetfulApp: AppUnderTest {
  static func launch(_ launch: AppLaunch) async throws {
    let index = launch.container.caches.appendingPathComponent("index")
    guard !FileManager.default.fileExists(atPath: index.path) else { return }
    try Data("[]".utf8).write(to: list(launch.container))
    try Data().write(to: index)
  }

  /// Where the user's list is.
  private static func list(_ container: FakeContainer.Locations) -> URL {
    container.documents.appendingPathComponent("list.json")
  }

  static let actions: AppActions = [
    "add": { action in try Data("[\"Metropolis\"]".utf8).write(to: list(action.container)) }
  ]
}
#endif
