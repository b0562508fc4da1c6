package import Foundation

/// A temporary folder for one test, which is deleted with the last reference to it.
package final class TestFolder: Sendable {
  /// The location of the folder, without symbolic links.
  package let url: URL

  package init() throws {
    url = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appendingPathComponent("tests-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  /// Creates a folder with text files, whose keys are paths relative to the folder.
  package convenience init(_ files: [String: String]) throws {
    try self.init()
    for (path, text) in files { try write(text, to: path) }
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  package var path: String { url.path }

  /// The location of an item, which need not exist.
  package func url(_ path: String) -> URL { url.appendingPathComponent(path) }

  /// Creates a subfolder, and the folders above it.
  package func makeFolder(_ path: String) throws {
    try FileManager.default.createDirectory(at: url(path), withIntermediateDirectories: true)
  }

  /// Writes a text file, and creates the folders above it.
  package func write(_ text: String, to path: String) throws {
    try write(Data(text.utf8), to: path)
  }

  /// Writes a file of any bytes, and creates the folders above it.
  package func write(_ bytes: some DataProtocol, to path: String) throws {
    let file = url(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
  }

  /// Writes a text file with POSIX permissions, for example `0o755`.
  package func write(_ text: String, to path: String, permissions: Int) throws {
    try write(text, to: path)
    try setPermissions(permissions, of: path)
  }

  /// Sets the POSIX permissions of an item.
  package func setPermissions(_ permissions: Int, of path: String) throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: permissions], ofItemAtPath: url(path).path)
  }

  package func text(of path: String) throws -> String {
    String(decoding: try Data(contentsOf: url(path)), as: UTF8.self)
  }

  /// Whether a file or a folder exists at a path.
  package func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: url(path).path)
  }

  /// The relative paths of all files and folders, sorted.
  package func names() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: path).sorted()
  }

  /// The paths of all files below a subfolder, relative to it and sorted.
  ///
  /// The list is empty if the subfolder does not exist.
  package func files(in folder: String = "") -> [String] {
    let paths = FileManager.default.enumerator(atPath: url(folder).path)?.allObjects ?? []
    return paths.compactMap { $0 as? String }.filter { path in
      !url("\(folder)/\(path)").hasDirectoryPath
    }.sorted()
  }
}
