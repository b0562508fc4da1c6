#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app whose version 2.0 moves a text from a file to its user defaults. iOS keeps the value even
/// if the app is killed immediately after it has set the value.
enum MovedToDefaultsApp: AppUnderTest {
  static func launch(_ launch: AppLaunch) async throws {
    let file = launch.container.documents.file("verse.txt")
    guard launch.appVersion != "1.0", let text = try? String(contentsOf: file, encoding: .utf8)
    else { return }
    UserDefaults.standard.set(text, forKey: "verse")
    try FileManager.default.removeItem(at: file)
  }

  static let actions: AppActions = ScramblingAfterRemovingApp.actions
}
#endif
