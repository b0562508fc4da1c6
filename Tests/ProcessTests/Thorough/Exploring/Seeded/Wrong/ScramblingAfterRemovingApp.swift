#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app whose version 2.0 saves a text with scrambled bytes. It removes the readable file first.
enum ScramblingAfterRemovingApp: AppUnderTest {
  static func launch(_ launch: AppLaunch) async throws {
    let documents = launch.container.documents
    guard launch.appVersion != "1.0", let text = try? Data(contentsOf: documents.file("verse.txt"))
    else { return }
    try FileManager.default.removeItem(at: documents.file("verse.txt"))
    try scrambled(text).write(to: documents.file("verse.bin"), options: .atomic)
  }

  static func scrambled(_ text: Data) -> Data { Data(text.map { $0 ^ 0xA7 }) }

  static let actions: AppActions = [
    "write": { action in
      guard action.appVersion == "1.0" else { return }
      try Data("The lake is wide, the hill is high, and nobody swims across".utf8)
        .write(to: action.container.documents.file("verse.txt"), options: .atomic)
    },
    "read": { _ in },
  ]
}
#endif
