#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app whose version 2.0 moves its list, and then saves a flag in its preferences. If iOS kills
/// the app between the two, the next launch removes the moved list as incomplete.
enum FlaggedMigrationApp: AppUnderTest {
  static func launch(_ launch: AppLaunch) async throws {
    let container = launch.container
    guard launch.appVersion != "1.0", !UserDefaults.standard.bool(forKey: "hasMoved") else {
      return
    }
    let (old, new) = (container.documents.file("list"), container.applicationSupport.file("list"))
    try FileManager.default.createDirectory(
      at: container.applicationSupport, withIntermediateDirectories: true)
    try? FileManager.default.removeItem(at: new)
    try? FileManager.default.moveItem(at: old, to: new)
    UserDefaults.standard.set(true, forKey: "hasMoved")
  }

  static let actions: AppActions = [
    "write": { action in
      guard action.appVersion == "1.0" else { return }
      try Data("Swim across the lake".utf8)
        .write(to: action.container.documents.file("list"), options: .atomic)
    },
    "read": { _ in },
  ]
}
#endif
