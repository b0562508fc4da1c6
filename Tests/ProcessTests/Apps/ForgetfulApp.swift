#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that overwrites the user's list with an empty one if its index is missing.
///
/// The index is in Caches, so no backup contains it.
enum ForgetfulApp: AppUnderTest {
  static func launch(_ launch: AppLaunch) async throws {
    let index = launch.container.caches.appendingPathComponent("index")
    guard !FileManager.default.fileExists(atPath: index.path) else { return }
    try Data("[]".utf8).write(to: list(launch.container))
    try Data().write(to: index)
  }

  private static func list(_ container: FakeContainer.Locations) -> URL {
    container.documents.appendingPathComponent("list.json")
  }

  static let actions: AppActions = [
    "add": { action in try Data("[\"Metropolis\"]".utf8).write(to: list(action.container)) }
  ]
}
#endif
