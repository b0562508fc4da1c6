import Foundation
import Testing

/// A folder as the kit makes one for a device, with a container in it.
struct TestContainer {
  /// The container's root.
  let root: URL

  /// Runs a body with a fresh container that holds what iOS creates at installation.
  static func run(_ body: (TestContainer) throws -> Void) throws {
    let device = FileManager.default.temporaryDirectory
      .appendingPathComponent("sbt-\(UUID().uuidString.prefix(8).lowercased())", isDirectory: true)
    let root = device.appendingPathComponent(UUID().uuidString, isDirectory: true)
    for place in ["Documents", "Library/Caches", "tmp"] {
      try FileManager.default.createDirectory(
        at: root.appendingPathComponent(place, isDirectory: true),
        withIntermediateDirectories: true)
    }
    defer { try? FileManager.default.removeItem(at: device) }
    try body(TestContainer(root: root))
  }

  /// Runs the app's process with this container as its own and returns what it prints.
  func runApp(_ argument: String, identifier: String? = nil) throws -> [String] {
    let process = Process()
    let output = Pipe()
    let folder = try #require(Bundle.main.executableURL).deletingLastPathComponent()
    process.executableURL = folder.appendingPathComponent("PlainProcess")
    process.arguments = [argument]
    process.environment = ["BACKUP_TESTING_CONTAINER": root.path]
    process.environment?["BACKUP_TESTING_BUNDLE_IDENTIFIER"] = identifier
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}

/// Reads an extended attribute, without a shim; its size, or -1.
@_silgen_name("lgetxattr")
private func lgetxattr(
  _ path: UnsafePointer<CChar>, _ name: UnsafePointer<CChar>, _ value: UnsafeMutableRawPointer?,
  _ size: Int
) -> Int

extension URL {
  /// Whether the item bears the mark on disk, read without a shim.
  var hasMark: Bool {
    lgetxattr(path, "user.com.apple.metadata:com_apple_backup_excludeItem", nil, 0) >= 0
  }
}
