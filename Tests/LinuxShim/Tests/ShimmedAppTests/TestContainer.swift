import BackupTesting
import Foundation

/// Runs test code in a new container, and then removes the container.
enum TestContainer {
  /// Runs code in a new container with the directories that iOS creates at installation.
  ///
  /// - Parameter body: The code. It gets the container's root.
  /// - Returns: The result of `body`.
  /// - Throws: An error of `body` or of Foundation.
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

  /// Runs code with a file in a new container.
  static func withFile(_ body: (URL) throws -> Void) async throws {
    try await run { root in
      let file = root.appendingPathComponent("Documents/a.txt")
      try Data("a".utf8).write(to: file)
      try body(file)
    }
  }
}
