#if os(macOS) || os(Linux)
import Foundation

extension URL {
  /// A directory below a directory.
  func folder(_ name: String) -> URL { appendingPathComponent(name, isDirectory: true) }

  var isThere: Bool { FileManager.default.fileExists(atPath: path) }

  /// Makes the directory, with those above it, where it is missing.
  func makeFolder() throws {
    try FileManager.default.createDirectory(at: self, withIntermediateDirectories: true)
  }
}

extension Data {
  static let movie = Data(repeating: 7, count: 5000)
}
#endif
