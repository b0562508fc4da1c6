import BackupTesting
import Foundation

/// Runs test code with a fresh container as the current one, and removes the container.
enum TestContainer {
  /// Runs a body in a fresh container that holds what iOS creates at installation.
  ///
  /// - Parameter body: Receives the container's root.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws, or an error of Foundation's.
  @discardableResult
  static func run<Result>(
    _ body: (URL) async throws -> Result
  ) async throws -> Result {
    let device = FileManager.default.temporaryDirectory
      .appendingPathComponent("sbt-\(UUID().uuidString.prefix(8).lowercased())", isDirectory: true)
    let root = device.appendingPathComponent(UUID().uuidString, isDirectory: true)
    for place in ["Documents", "Library/Caches", "tmp"] {
      let url = root.appendingPathComponent(place, isDirectory: true)
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }
    defer { try? FileManager.default.removeItem(at: device) }
    return try await CurrentContainer.$root.withValue(root.path) { try await body(root) }
  }

  /// Runs a body with a file in a fresh container.
  static func withFile(_ body: (URL) throws -> Void) async throws {
    try await run { root in
      let file = root.appendingPathComponent("Documents/a.txt")
      try Data("a".utf8).write(to: file)
      try body(file)
    }
  }
}
