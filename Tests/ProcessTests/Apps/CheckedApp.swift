#if os(macOS) || os(Linux)
import BackupTesting
import Foundation
import Testing

/// An app that keeps pictures in Caches, and a list of their names in Documents.
/// Its check fails if a picture is missing.
enum CheckedApp: AppUnderTest {
  static func check(_ launch: AppLaunch) async throws {
    let list = launch.container.documents.appendingPathComponent("list.txt")
    guard let names = try? String(contentsOf: list, encoding: .utf8) else { return }
    for name in names.split(separator: "\n") {
      let picture = launch.container.caches.appendingPathComponent(String(name))
      _ = try Data(contentsOf: picture)
    }
    // The kit runs the check on a copy of the container, which this removal does not outlast.
    try FileManager.default.removeItem(at: list)
    #expect(!names.contains("odd"))
  }

  static let actions: AppActions = [
    "add": { action in try add(action) }
  ]

  fileprivate static func add(_ action: ActionCall) throws {
    let name: String = try action.argument("name")
    try Data("picture".utf8).write(to: action.container.caches.appendingPathComponent(name))
    let list = action.container.documents.appendingPathComponent("list.txt")
    let names = (try? String(contentsOf: list, encoding: .utf8)) ?? ""
    try Data((names + name + "\n").utf8).write(to: list, options: .atomic)
  }
}

/// An app like `CheckedApp` that creates missing pictures at each launch.
enum RepairingApp: AppUnderTest {
  static func launch(_ launch: AppLaunch) async throws {
    let list = launch.container.documents.appendingPathComponent("list.txt")
    guard let names = try? String(contentsOf: list, encoding: .utf8) else { return }
    for name in names.split(separator: "\n") {
      let picture = launch.container.caches.appendingPathComponent(String(name))
      if !FileManager.default.fileExists(atPath: picture.path) {
        try Data("picture".utf8).write(to: picture)
      }
    }
  }

  static func check(_ launch: AppLaunch) async throws { try await CheckedApp.check(launch) }

  static let actions = CheckedApp.actions
}

/// An app that adds a name to the list again if its action is repeated after a kill. Its check
/// fails if the list has a name twice.
enum DoublingApp: AppUnderTest {
  static func check(_ launch: AppLaunch) async throws {
    let list = launch.container.documents.appendingPathComponent("list.txt")
    guard let names = try? String(contentsOf: list, encoding: .utf8) else { return }
    let lines = names.split(separator: "\n")
    #expect(Set(lines).count == lines.count)
  }

  static let actions: AppActions = [
    "add": { action in
      try CheckedApp.add(action)
      try Data("1".utf8).write(to: action.container.caches.appendingPathComponent("count"))
    }
  ]
}
#endif
