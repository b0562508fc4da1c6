#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app whose second version copies its notes to another folder at its start, and removes the former one
/// as soon as the new one is there.
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
