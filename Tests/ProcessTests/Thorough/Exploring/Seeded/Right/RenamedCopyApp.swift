#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app whose version 2.0 copies its notes to the folder `Draft`, renames the copy, and then
/// removes the original folder.
enum RenamedCopyApp: AppUnderTest {
  static func launch(_ launch: AppLaunch) async throws {
    let documents = launch.container.documents
    let (old, draft) = (documents.folder("Notes"), documents.folder("Draft"))
    guard launch.appVersion != "1.0", old.isThere else { return }
    if !documents.folder("Library").isThere {
      try? FileManager.default.removeItem(at: draft)
      try FileManager.default.copyItem(at: old, to: draft)
      try FileManager.default.moveItem(at: draft, to: documents.folder("Library"))
    }
    try FileManager.default.removeItem(at: old)
  }

  static let actions: AppActions = HalfCopyingApp.actions
}
#endif
