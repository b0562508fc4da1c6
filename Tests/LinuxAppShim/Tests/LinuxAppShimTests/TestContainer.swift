import Foundation

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
    var environment = ["BACKUP_TESTING_CONTAINER": root.path]
    environment["BACKUP_TESTING_BUNDLE_IDENTIFIER"] = identifier
    return try AppProcess.lines(of: "PlainProcess", argument, environment)
  }
}
