#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that saves a note before it adds the note's name to the index.
enum IndexLastApp: AppUnderTest {
  static let actions: AppActions = [
    "add": add, "openAll": IndexFirstApp.openAll,
  ]

  static func add(_ action: ActionCall) throws {
    let documents = action.container.documents
    let name: String = try action.argument("name")
    let index = documents.file("index.txt")
    let names = (try? String(contentsOf: index, encoding: .utf8)) ?? ""
    try name.write(to: documents.file("\(name).txt"), atomically: true, encoding: .utf8)
    try "\(names)\(name)\n".write(to: index, atomically: true, encoding: .utf8)
  }
}
#endif
