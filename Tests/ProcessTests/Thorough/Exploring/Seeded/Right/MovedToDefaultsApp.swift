#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app whose second version keeps a text in its user defaults, and then removes the file. iOS keeps
/// the value even if the app is killed at once.
enum MovedToDefaultsApp: AppUnderTest {
  static func launch(_ launch: AppLaunch) async throws {
    let file = launch.container.documents.file("verse.txt")
    guard launch.appVersion != "1.0", let text = try? String(contentsOf: file, encoding: .utf8)
    else { return }
    UserDefaults.standard.set(text, forKey: "verse")
    try FileManager.default.removeItem(at: file)
  }

  static let actions: AppActions = SealingFirstVersionApp.actions
}
#endif
