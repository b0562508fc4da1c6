#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app whose launch merges a journal into a ledger. If a write to the journal fails, the app
/// removes the journal.
enum DroppingJournalApp: AppUnderTest {
  static func launch(_ launch: AppLaunch) async throws {
    let (journal, ledger) = files(launch.container)
    guard journal.isThere else { return }
    let old = try lines(of: ledger)
    let all = try old + lines(of: journal).filter { !old.contains($0) }
    try Data(all.joined(separator: "\n").utf8).write(to: ledger, options: .atomic)
    try FileManager.default.removeItem(at: journal)
  }

  static let actions: AppActions = [
    "add": { action in
      let (journal, _) = files(action.container)
      if !journal.isThere { try Data().write(to: journal) }
      do {
        let file = try FileHandle(forWritingTo: journal)
        try file.seekToEnd()
        try file.write(contentsOf: Data("\(action.argument("text", as: String.self))\n".utf8))
        try file.close()
      } catch {
        try FileManager.default.removeItem(at: journal)
        throw error
      }
    }
  ]

  private static func files(_ container: FakeContainer.Locations) -> (journal: URL, ledger: URL) {
    (container.documents.file("journal"), container.documents.file("ledger"))
  }

  private static func lines(of file: URL) throws -> [String] {
    guard file.isThere else { return [] }
    return String(decoding: try Data(contentsOf: file), as: UTF8.self)
      .split(separator: "\n").map(String.init)
  }
}
#endif
