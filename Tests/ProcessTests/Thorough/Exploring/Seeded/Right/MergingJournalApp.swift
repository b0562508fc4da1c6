#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that adds lines to a journal. Each launch merges the journal into a list, and then
/// removes the journal.
enum MergingJournalApp: AppUnderTest {
  static func launch(_ launch: AppLaunch) async throws {
    let documents = launch.container.documents
    let (list, journal) = (documents.file("list.json"), documents.file("journal"))
    guard let lines = try? String(contentsOf: journal, encoding: .utf8) else { return }
    var all: [String: String] = [:]
    if let data = try? Data(contentsOf: list) {
      all = try JSONDecoder().decode([String: String].self, from: data)
    }
    for line in lines.split(separator: "\n") {
      let parts = line.split(separator: "=").map(String.init)
      all[parts[0]] = parts[1]
    }
    try JSONEncoder().encode(all).write(to: list, options: .atomic)
    try FileManager.default.removeItem(at: journal)
  }

  static let actions: AppActions = [
    "add": { action in
      let journal = action.container.documents.file("journal")
      let line: String = try action.argument("line")
      let text = (try? String(contentsOf: journal, encoding: .utf8)) ?? ""
      try Data((text + line + "\n").utf8).write(to: journal, options: .atomic)
    }
  ]
}
#endif
