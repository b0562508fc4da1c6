#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that keeps notes and their titles in two files. If the files have different numbers of
/// lines, the launch empties both.
enum ResettingApp: AppUnderTest {
  static func launch(_ launch: AppLaunch) async throws {
    let notes = launch.container.documents.file("notes.txt")
    let titles = launch.container.documents.file("titles.txt")
    func lineCount(_ file: URL) -> Int {
      let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
      return text.split(separator: "\n").count
    }
    guard lineCount(notes) != lineCount(titles) else { return }
    for file in [notes, titles] { try Data().write(to: file, options: .atomic) }
  }

  static let actions: AppActions = [
    "add": { action in
      let line: String = try action.argument("line")
      for name in ["notes.txt", "titles.txt"] {
        let file = action.container.documents.file(name)
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        try Data((text + line + "\n").utf8).write(to: file, options: .atomic)
      }
    }
  ]
}
#endif
