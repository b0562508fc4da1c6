#if os(macOS) || os(Linux)
import Foundation
import TestSupport

/// Finds the tool that was built with these tests.
enum ToolExecutable {
  /// Returns the tool. Debug and release builds put it beside the test bundle.
  static func find() throws -> URL {
    let directories = possibleDirectories
    for directory in directories {
      let tool = directory.appendingPathComponent("backup-testing")
      var isDirectory: ObjCBool = false
      let exists = FileManager.default.fileExists(atPath: tool.path, isDirectory: &isDirectory)
      if exists, !isDirectory.boolValue { return tool }
    }
    throw TestError("backup-testing is in none of \(directories.map(\.path))")
  }

  /// The directories above each file that could be the test bundle, starting with the nearest.
  private static var possibleDirectories: [URL] {
    let bundles =
      Bundle.allBundles.map(\.bundleURL) + [Bundle.main.executableURL].compactMap(\.self)
    let arguments = CommandLine.arguments.filter { $0.contains(".xctest") }
      .map { URL(fileURLWithPath: $0) }
    return (arguments + bundles).flatMap { url in
      var directories: [URL] = []
      var directory = url.standardizedFileURL
      for _ in 0..<5 {
        directory.deleteLastPathComponent()
        directories.append(directory)
      }
      return directories
    }
  }
}
#endif
