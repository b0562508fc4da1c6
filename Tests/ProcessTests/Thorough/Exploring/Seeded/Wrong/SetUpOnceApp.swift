#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that creates and marks its folder at the first launch, and then creates the flag `ready`.
/// If the flag exists, the app expects the folder.
enum SetUpOnceApp: AppUnderTest {
  static func launch(_ launch: AppLaunch) async throws {
    let flag = launch.container.documents.file("ready")
    guard !flag.isThere else { return }
    let folder = launch.container.applicationSupport.folder("Movies")
    try folder.makeFolder()
    try folder.excludeFromBackup()
    try Data().write(to: flag)
  }

  static let actions: AppActions = [
    "download": { action in
      let folder = action.container.applicationSupport.folder("Movies")
      try Data.movie.write(to: folder.file(action.argument("id")), options: .atomic)
    }
  ]
}
#endif
