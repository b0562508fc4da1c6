#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that removes a note before it removes the note's name from its index.
enum RemovedBeforeIndexApp: AppUnderTest {
  static let actions: AppActions = [
    "add": IndexLastApp.add,
    "delete": { action in
      let documents = action.container.documents
      let name: String = try action.argument("name")
      let index = documents.file("index.txt")
      try? FileManager.default.removeItem(at: documents.file("\(name).txt"))
      let names = try String(contentsOf: index, encoding: .utf8).split(separator: "\n")
      try names.filter { $0 != name }.joined(separator: "\n")
        .write(to: index, atomically: true, encoding: .utf8)
    },
    "openAll": IndexFirstApp.openAll,
  ]
}
#endif
