#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that appends a line to a file, and then counts it in the file's first byte. If the count
/// is wrong, the launch empties the file.
enum CountingRecordsApp: AppUnderTest {
  static func launch(_ launch: AppLaunch) async throws {
    let file = launch.container.documents.file("records")
    guard let data = try? Data(contentsOf: file), let count = data.first else { return }
    let records = data.dropFirst().filter { $0 == UInt8(ascii: "\n") }.count
    if records != Int(count) { try Data([0]).write(to: file, options: .atomic) }
  }

  static let actions: AppActions = [
    "add": { action in
      let file = action.container.documents.file("records")
      let line: String = try action.argument("line")
      guard file.isThere else {
        return try Data([1] + Array("\(line)\n".utf8)).write(to: file, options: .atomic)
      }
      let handle = try FileHandle(forUpdating: file)
      let count = try handle.read(upToCount: 1)?.first ?? 0
      try handle.seekToEnd()
      try handle.write(contentsOf: Data("\(line)\n".utf8))
      try handle.seek(toOffset: 0)
      try handle.write(contentsOf: Data([count + 1]))
      try handle.close()
    }
  ]
}
#endif
