#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app whose launch renames the list if its number of lines is missing in Caches. The app then
/// begins a new list.
enum SettingAsideApp: AppUnderTest {
  static func launch(_ launch: AppLaunch) async throws {
    let list = launch.container.documents.file("list.txt")
    let count = launch.container.caches.file("count")
    guard list.isThere, !count.isThere else { return }
    let aside = launch.container.documents.file("list.unread.txt")
    if !aside.isThere { try FileManager.default.moveItem(at: list, to: aside) }
    try Data().write(to: count)
  }

  static let actions: AppActions = RestartingListApp.actions
}
#endif
