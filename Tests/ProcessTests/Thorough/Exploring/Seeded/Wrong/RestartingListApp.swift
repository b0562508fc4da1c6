#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that keeps the number of its list's lines in Caches. If the number is missing or wrong,
/// the launch replaces the list with an empty one.
enum RestartingListApp: AppUnderTest {
  static func launch(_ launch: AppLaunch) async throws {
    let list = launch.container.documents.file("list.txt")
    guard let text = try? String(contentsOf: list, encoding: .utf8) else { return }
    let count = try? String(contentsOf: launch.container.caches.file("count"), encoding: .utf8)
    guard count != "\(text.split(separator: "\n").count)" else { return }
    try Data().write(to: list, options: .atomic)
  }

  static let actions: AppActions = [
    "add": { action in
      let list = action.container.documents.file("list.txt")
      var text = (try? String(contentsOf: list, encoding: .utf8)) ?? ""
      text += try action.argument("line", as: String.self) + "\n"
      let count = "\(text.split(separator: "\n").count)"
      try Data(count.utf8).write(to: action.container.caches.file("count"), options: .atomic)
      try Data(text.utf8).write(to: list, options: .atomic)
    }
  ]
}
#endif
