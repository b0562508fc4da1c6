#if os(macOS) || os(Linux)
import BackupTesting
import Foundation
import Testing

/// An app that keeps a list of pictures in Documents and the pictures in its caches, and checks that none is
/// missing.
enum CheckedApp: AppUnderTest {
  static func check(_ launch: AppLaunch) async throws {
    let list = launch.container.documents.appendingPathComponent("list.txt")
    guard let names = try? String(contentsOf: list, encoding: .utf8) else { return }
    for name in names.split(separator: "\n") {
      let picture = launch.container.caches.appendingPathComponent(String(name))
      _ = try Data(contentsOf: picture)
    }
    // Whatever a check does is done to a copy.
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

/// The same app, which makes at its start what is missing.
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

/// An app that adds an entry twice if the first time was cut short, and checks that no entry is there twice.
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
