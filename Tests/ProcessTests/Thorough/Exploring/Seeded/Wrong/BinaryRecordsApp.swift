#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that appends a record of 16 bytes to a file, and then counts it in the file's first byte.
/// If the count is wrong, the launch empties the file.
enum BinaryRecordsApp: AppUnderTest {
  static func launch(_ launch: AppLaunch) async throws {
    let file = launch.container.documents.file("runs.db")
    guard let data = try? Data(contentsOf: file), let count = data.first else { return }
    if data.count != 1 + 16 * Int(count) { try Data([0]).write(to: file, options: .atomic) }
  }

  static func add(to file: URL) throws {
    let record = Data(repeating: 7, count: 16)
    guard file.isThere else { return try (Data([1]) + record).write(to: file, options: .atomic) }
    let handle = try FileHandle(forUpdating: file)
    let count = try handle.read(upToCount: 1)?.first ?? 0
    try handle.seekToEnd()
    try handle.write(contentsOf: record)
    try handle.seek(toOffset: 0)
    try handle.write(contentsOf: Data([count + 1]))
    try handle.close()
  }

  static let actions: AppActions = [
    "add": { try add(to: $0.container.documents.file("runs.db")) }
  ]
}
#endif
