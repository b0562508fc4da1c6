#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that adds a note's name to its index before it saves the note. Its action `openAll` reads
/// all notes that the index names.
enum IndexFirstApp: AppUnderTest {
  static let actions: AppActions = [
    "add": { action in
      let documents = action.container.documents
      let name: String = try action.argument("name")
      let index = documents.file("index.txt")
      let names = (try? String(contentsOf: index, encoding: .utf8)) ?? ""
      try "\(names)\(name)\n".write(to: index, atomically: true, encoding: .utf8)
      try name.write(to: documents.file("\(name).txt"), atomically: true, encoding: .utf8)
    },
    "openAll": openAll,
  ]

  static func openAll(_ action: ActionCall) throws {
    let documents = action.container.documents
    let index = documents.file("index.txt")
    guard index.isThere else { return }
    for name in try String(contentsOf: index, encoding: .utf8).split(separator: "\n") {
      _ = try String(contentsOf: documents.file("\(name).txt"), encoding: .utf8)
    }
  }
}
#endif
