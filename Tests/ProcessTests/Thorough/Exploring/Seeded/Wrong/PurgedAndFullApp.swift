#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that downloads its template again after a purge. If the template is still missing, for
/// example because the storage is full, the app overwrites its list with an empty one.
enum PurgedAndFullApp: AppUnderTest {
  static let actions: AppActions = [
    "add": { action in
      let template = action.container.caches.file("template.txt")
      let list = action.container.documents.file("list.txt")
      let line: String = try action.argument("line")
      if !template.isThere {
        try? FileManager.default.createDirectory(
          at: action.container.caches, withIntermediateDirectories: true)
        try? Data("To do: ".utf8).write(to: template, options: .atomic)
      }
      let lines =
        try template.isThere
        ? (try? String(contentsOf: list, encoding: .utf8))
          ?? String(contentsOf: template, encoding: .utf8) : ""
      try "\(lines)\(line)\n".write(to: list, atomically: true, encoding: .utf8)
    }
  ]
}
#endif
