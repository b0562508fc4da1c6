#if os(macOS) || os(Linux)
import Foundation
import TestSupport

/// Finds the tool that was built with these tests.
enum ToolExecutable {
  /// The tool; it stands beside the test bundle, in debug and release builds alike.
  static func find() throws -> URL {
    let places = directories
    for place in places {
      let tool = place.appendingPathComponent("backup-testing")
      var isDirectory: ObjCBool = false
      let exists = FileManager.default.fileExists(atPath: tool.path, isDirectory: &isDirectory)
      if exists, !isDirectory.boolValue { return tool }
    }
    throw TestError("backup-testing is in none of \(places.map(\.path))")
  }

  /// The directories around everything that could be the test bundle, the nearest first.
  private static var directories: [URL] {
    let bundles =
      Bundle.allBundles.map(\.bundleURL) + [Bundle.main.executableURL].compactMap(\.self)
    let arguments = CommandLine.arguments.filter { $0.contains(".xctest") }
      .map { URL(fileURLWithPath: $0) }
    return (arguments + bundles).flatMap { url in
      var directories: [URL] = []
      var place = url.standardizedFileURL
      for _ in 0..<5 {
        place.deleteLastPathComponent()
        directories.append(place)
      }
      return directories
    }
  }
}
#endif
