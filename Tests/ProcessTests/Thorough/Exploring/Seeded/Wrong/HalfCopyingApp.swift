#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app whose version 2.0 copies its notes to a new folder, and then removes the old folder. If
/// the new folder exists, the launch takes the copy for complete.
enum HalfCopyingApp: AppUnderTest {
  static func launch(_ launch: AppLaunch) async throws {
    let old = launch.container.documents.folder("Notes")
    let new = launch.container.documents.folder("Library")
    guard launch.appVersion != "1.0", old.isThere else { return }
    if !new.isThere { try FileManager.default.copyItem(at: old, to: new) }
    try FileManager.default.removeItem(at: old)
  }

  static let actions: AppActions = [
    "write": { action in
      let folder = action.container.documents.folder(
        action.appVersion == "1.0" ? "Notes" : "Library")
      try folder.makeFolder()
      for number in 1...2 {
        try Data("Note \(number)".utf8).write(to: folder.file("\(number).txt"), options: .atomic)
      }
    },
    "read": { _ in },
  ]
}
#endif
