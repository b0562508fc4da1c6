#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that refuses to add a name twice. It also saves the latest name in Caches, and does not
/// need that file.
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
