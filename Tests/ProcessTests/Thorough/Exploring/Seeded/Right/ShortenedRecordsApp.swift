#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that appends a record of 16 bytes to a file, and then counts it in the file's first byte.
/// The launch removes records that are not counted.
enum ShortenedRecordsApp: AppUnderTest {
  static func launch(_ launch: AppLaunch) async throws {
    let file = launch.container.documents.file("runs.db")
    guard let data = try? Data(contentsOf: file), let count = data.first else { return }
    let length = 1 + 16 * Int(count)
    guard data.count > length else { return }
    let handle = try FileHandle(forWritingTo: file)
    try handle.truncate(atOffset: UInt64(length))
    try handle.close()
  }

  static let actions: AppActions = BinaryRecordsApp.actions
}
#endif
