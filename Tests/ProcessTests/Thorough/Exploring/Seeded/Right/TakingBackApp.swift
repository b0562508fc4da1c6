#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that lists a note before it saves it. Each start takes what was not saved off the list, whose keys
/// have another order in each process.
enum TakingBackApp: AppUnderTest {
  static func launch(_ launch: AppLaunch) async throws {
    let documents = launch.container.documents
    let list = list(in: documents)
    let whole = list.filter { name, _ in documents.file(name).isThere }
    if whole != list { try write(whole, in: documents) }
  }

  private static func list(in documents: URL) -> [String: String] {
    let data = try? Data(contentsOf: documents.file("list.json"))
    return data.flatMap { try? JSONDecoder().decode([String: String].self, from: $0) } ?? [:]
  }

  private static func write(_ list: [String: String], in documents: URL) throws {
    try JSONEncoder().encode(list).write(to: documents.file("list.json"), options: .atomic)
  }

  static let actions: AppActions = [
    "add": { action in
      let documents = action.container.documents
      let name: String = try action.argument("line")
      var list = list(in: documents)
      list[name] = "note"
      try write(list, in: documents)
      try Data(name.utf8).write(to: documents.file(name), options: .atomic)
    }
  ]
}
#endif
