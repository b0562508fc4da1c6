#if os(macOS) || os(Linux)
import Foundation

extension URL {
  func folder(_ name: String) -> URL { appendingPathComponent(name, isDirectory: true) }

  var isThere: Bool { FileManager.default.fileExists(atPath: path) }

  /// Creates the directory and the directories above it, unless they exist.
  func makeFolder() throws {
    try FileManager.default.createDirectory(at: self, withIntermediateDirectories: true)
  }
}

extension Data {
  static let movie = Data(repeating: 7, count: 5000)
}
#endif
