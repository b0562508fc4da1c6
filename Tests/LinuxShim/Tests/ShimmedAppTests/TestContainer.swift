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
}

/// Sets an extended attribute, without the shim; 0, or -1.
@_silgen_name("lsetxattr")
private func lsetxattr(
  _ path: UnsafePointer<CChar>, _ name: UnsafePointer<CChar>, _ value: UnsafeRawPointer,
  _ size: Int, _ flags: CInt
) -> CInt

/// Reads an extended attribute, without the shim; its size, or -1.
@_silgen_name("lgetxattr")
private func lgetxattr(
  _ path: UnsafePointer<CChar>, _ name: UnsafePointer<CChar>, _ value: UnsafeMutableRawPointer?,
  _ size: Int
) -> Int

extension URL {
  /// Whether the item bears the mark on disk, read without the shim.
  var hasMark: Bool {
    hasAttribute("user.com.apple.metadata:com_apple_backup_excludeItem")
  }

  /// Whether the item bears an extended attribute, read without the shim.
  func hasAttribute(_ name: String) -> Bool { lgetxattr(path, name, nil, 0) >= 0 }

  /// Sets an extended attribute of four bytes, without the shim.
  func setAttribute(_ name: String) { _ = lsetxattr(path, name, "kit!", 4, 0) }
}
