#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that sets aside what it cannot read at its start, and begins again.
enum SettingAsideApp: AppUnderTest {
  static func launch(_ launch: AppLaunch) async throws {
    let list = launch.container.documents.file("list.txt")
    let count = launch.container.caches.file("count")
    guard list.isThere, !count.isThere else { return }
    let aside = launch.container.documents.file("list.unread.txt")
    if !aside.isThere { try FileManager.default.moveItem(at: list, to: aside) }
    try Data().write(to: count)
  }

  static let actions: AppActions = BeginningAgainApp.actions
}
#endif
