#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that saves a table in two writes: first the names of the columns, then the rows of
/// numbers.
enum RewrittenTableApp: AppUnderTest {
  static let actions: AppActions = [
    "save": { action in
      let count: Int = try action.argument("count")
      let file = action.container.documents.file("weights.csv")
      try Data("date,weight\n".utf8).write(to: file, options: .atomic)
      let handle = try FileHandle(forWritingTo: file)
      defer { try? handle.close() }
      try handle.seekToEnd()
      try handle.write(
        contentsOf: Data((1...count).map { "2026-11-\($0 + 9),80.\($0)\n" }.joined().utf8))
    }
  ]
}
#endif
