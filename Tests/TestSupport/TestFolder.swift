package import Foundation

/// A temporary folder of a test's own, removed with the last reference to it.
package final class TestFolder: Sendable {
  /// Where it is, without links on the way.
  package let url: URL

  package init() throws {
    url = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appendingPathComponent("tests-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  /// Makes a folder with files, by their paths in it.
  package convenience init(_ files: [String: String]) throws {
    try self.init()
    for (path, text) in files { try write(text, to: path) }
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  package var path: String { url.path }

  /// Where a file of the folder is, or would be.
  package func url(_ path: String) -> URL { url.appendingPathComponent(path) }

  /// Makes a folder in it, with those above.
  package func makeFolder(_ path: String) throws {
    try FileManager.default.createDirectory(at: url(path), withIntermediateDirectories: true)
  }

  /// Writes a text file, with the folders above it.
  package func write(_ text: String, to path: String) throws {
    try write(Data(text.utf8), to: path)
  }

  /// Writes a file of any bytes, with the folders above it.
  package func write(_ bytes: some DataProtocol, to path: String) throws {
    let file = url(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
  }

  /// Writes a text file that only those may use whom its permissions name.
  package func write(_ text: String, to path: String, permissions: Int) throws {
    try write(text, to: path)
    try setPermissions(permissions, of: path)
  }

  /// Says who may use an item.
  package func setPermissions(_ permissions: Int, of path: String) throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: permissions], ofItemAtPath: url(path).path)
  }

  /// The text of a file.
  package func text(of path: String) throws -> String {
    String(decoding: try Data(contentsOf: url(path)), as: UTF8.self)
  }

  /// Whether something is at a path.
  package func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: url(path).path)
  }

  /// The paths of everything in the folder, folders too, sorted.
  package func names() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: path).sorted()
  }

  /// The paths of the files below a folder of it, sorted; none where that is not there.
  package func files(in folder: String = "") -> [String] {
    let found = FileManager.default.enumerator(atPath: url(folder).path)?.allObjects ?? []
    return found.compactMap { $0 as? String }.filter { path in
      !url("\(folder)/\(path)").hasDirectoryPath
    }.sorted()
  }
}
