#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that makes and marks its folder at its first start, and notes that in Documents.
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
