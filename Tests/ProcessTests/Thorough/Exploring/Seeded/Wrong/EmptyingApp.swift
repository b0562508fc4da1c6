#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that empties Documents if a flag in Caches is missing, because it takes the launch for
/// its first launch on the device.
enum EmptyingApp: AppUnderTest {
  static func launch(_ launch: AppLaunch) async throws {
    let flag = launch.container.caches.file("installed")
    guard !flag.isThere else { return }
    let documents = launch.container.documents
    for item in try FileManager.default.contentsOfDirectory(
      at: documents, includingPropertiesForKeys: nil)
    {
      try FileManager.default.removeItem(at: item)
    }
    try Data().write(to: flag)
  }

  static let actions: AppActions = [
    "save": { action in
      try Data("Buy milk".utf8).write(
        to: action.container.documents.file("note.txt"), options: .atomic)
    }
  ]
}
#endif
