#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that only appends lines to the user's journal.
enum JournalApp: AppUnderTest {
  static let actions: AppActions = [
    "add": { action in
      let journal = action.container.documents.file("journal.txt")
      if !journal.isThere { try Data().write(to: journal) }
      let file = try FileHandle(forWritingTo: journal)
      try file.seekToEnd()
      try file.write(contentsOf: Data(action.argument("line", as: String.self).utf8))
      try file.write(contentsOf: Data("\n".utf8))
      try file.close()
    }
  ]
}
#endif
