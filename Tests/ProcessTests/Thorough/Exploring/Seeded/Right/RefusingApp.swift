#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that refuses a name that is taken, and keeps a list of the latest names that it can do without.
enum RefusingApp: AppUnderTest {
  static let actions: AppActions = [
    "add": { action in
      let name: String = try action.argument("name")
      let note = action.container.documents.file("\(name).txt")
      guard !note.isThere else { throw CocoaError(.fileWriteFileExists) }
      try "a note".write(to: note, atomically: true, encoding: .utf8)
      let latest = action.container.caches.file("latest.txt")
      try note.lastPathComponent.write(to: latest, atomically: true, encoding: .utf8)
    }
  ]
}
#endif
