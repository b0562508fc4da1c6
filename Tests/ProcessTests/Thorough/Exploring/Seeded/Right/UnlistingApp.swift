#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that adds a note to a list before it saves the note. Each launch removes notes without a
/// file from the list.
///
/// The list is JSON, whose keys have a different order in each process.
enum UnlistingApp: AppUnderTest {
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
