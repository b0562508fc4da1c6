#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app whose tests know the lines of its code.
enum CodeApp: AppUnderTest {
  /// The line numbers that findings name, by names for the tests.
  static let lines = [
    "save": saveLine, "mark": markLine, "append": appendLine, "load": loadLine,
    "async": saveLaterLine,
    "make": makeLine, "stream": streamLine,
  ]

  private static let saveLine = #line + 2
  private static func save(_ file: URL) throws {
    try Data("new".utf8).write(to: file, options: .atomic)
  }

  private static let appendLine = #line + 3
  @inline(__always) private static func append(_ file: URL) throws {
    let handle = try FileHandle(forWritingTo: file)
    try handle.write(contentsOf: Data("more".utf8))
    try handle.close()
  }

  private static let streamLine = #line + 2
  private static func stream(_ file: URL) {
    guard let stream = fopen(file.path, "a") else { return }
    fputs("more", stream)
    fclose(stream)
  }

  private static let loadLine = #line + 2
  private static func load(_ file: URL) throws {
    _ = try Data(contentsOf: file)
  }

  private static let markLine = #line + 2
  private static func mark(_ file: URL) throws {
    try file.excludeFromBackup()
  }

  private static let makeLine = #line + 2
  private static func make(_ folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private static let saveLaterLine = #line + 3
  private static func saveLater(_ file: URL) async throws {
    await Task.yield()
    try Data("late".utf8).write(to: file)
  }

  private static func file(_ action: ActionCall) throws -> URL {
    action.container.url.appendingPathComponent(try action.argument("at", as: String.self))
  }

  static let actions: AppActions = [
    "save": { try save(file($0)) },
    "saveAndMark": { action in
      try save(file(action))
      try mark(file(action))
    },
    "markAndSave": { action in
      try save(file(action))
      try mark(file(action))
      try save(file(action))
    },
    "saveOnce": { action in
      let file = try file(action)
      guard !FileManager.default.fileExists(atPath: file.path) else { return }
      try save(file)
      try mark(file)
    },
    "makeAndAppend": { action in
      _ = FileManager.default.createFile(atPath: try file(action).path, contents: nil)
      try append(file(action))
    },
    "stream": { try stream(file($0)) },
    // Foundation writes the default when the app saves the file, or after the action.
    "setAndSave": { action in
      UserDefaults.standard.set(action.container.url.path, forKey: "last")
      try save(file(action))
    },
    "load": { try load(file($0)) },
    "saveLater": { try await saveLater(file($0)) },
    "make": { try make(file($0)) },
    "mark": { try mark(file($0)) },
  ]
}
#endif
