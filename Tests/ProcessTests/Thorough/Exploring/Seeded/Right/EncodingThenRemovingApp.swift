#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app whose version 2.0 saves a text in Base64. It removes the original file only after that.
enum EncodingThenRemovingApp: AppUnderTest {
  static func launch(_ launch: AppLaunch) async throws {
    let documents = launch.container.documents
    guard launch.appVersion != "1.0", let text = try? Data(contentsOf: documents.file("verse.txt"))
    else { return }
    try text.base64EncodedData().write(to: documents.file("verse.b64"), options: .atomic)
    try FileManager.default.removeItem(at: documents.file("verse.txt"))
  }

  static let actions: AppActions = ScramblingAfterRemovingApp.actions
}
#endif
