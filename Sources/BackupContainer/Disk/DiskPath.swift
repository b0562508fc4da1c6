import BackupFileTree
internal import CBackupFiles
import Foundation

/// An absolute path on disk as the C library takes it: any bytes, ended by a NUL.
struct DiskPath: Hashable, Sendable {
  /// The bytes, with the NUL.
  private(set) var characters: [CChar]

  /// The path of a file URL.
  init(_ url: URL) {
    self.characters = Array(url.path.utf8CString)
  }

  /// The path of an item in the container at `root`.
  init(_ path: ContainerPath, in root: DiskPath) {
    self = root
    append(path.bytes)
  }

  /// How many bytes the path has, without the NUL.
  var count: Int { characters.count - 1 }

  /// Goes down to an item in this directory.
  mutating func append(_ bytes: [UInt8]) {
    characters[characters.count - 1] = CChar(ContainerPath.separator)
    bytes.withUnsafeBytes { characters.append(contentsOf: $0.bindMemory(to: CChar.self)) }
    characters.append(0)
  }

  /// The path of an item in this directory.
  func appending(_ bytes: [UInt8]) -> DiskPath {
    var path = self
    path.append(bytes)
    return path
  }

  /// Goes back up to a path of `count` bytes.
  mutating func truncate(to count: Int) {
    characters.removeLast(self.count - count)
    characters[count] = 0
  }

  /// The item's status, or nil where nothing is; never follows a link.
  func status() throws(SystemError) -> cfs_status? {
    var status = cfs_status()
    if cfs_status_at(characters, &status) == 0 { return status }
    let error = SystemError()
    if error.number == ENOENT || error.number == ENOTDIR { return nil }
    throw error
  }

  /// The names in this directory, in no order; a link to one is an error.
  func names() throws(SystemError) -> [[UInt8]] {
    let file = open(characters, DirectoryStream.options)
    return try DirectoryStream.withNames(in: file) { names throws(SystemError) in names }
  }
}

/// Reads directory entries.
enum DirectoryStream {
  /// How a directory is opened: never through a link at its end.
  static let options = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC

  /// Runs `body` with the names in a directory, which stays open meanwhile and is closed then.
  ///
  /// - Parameters:
  ///   - file: What open(2) returned, -1 too.
  ///   - body: Takes the names, in no order.
  /// - Returns: What `body` returns.
  /// - Throws: ``SystemError`` where it was not opened or cannot be read, and what `body` throws.
  static func withNames<Result>(
    in file: Int32, _ body: ([[UInt8]]) throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    guard file >= 0 else { throw SystemError() }
    guard let directory = fdopendir(file) else {
      defer { close(file) }
      throw SystemError()
    }
    defer { closedir(directory) }
    return try body(try names(readingNext: { readdir(directory) }))
  }

  /// Every name but `.` and `..`; `next` reads an entry, nil at the end or on failure.
  static func names(
    readingNext next: () -> UnsafeMutablePointer<dirent>?
  ) throws(SystemError) -> [[UInt8]] {
    var names: [[UInt8]] = []
    errno = 0
    while let entry = next() {
      let name = name(of: entry)
      if name != [0x2E], name != [0x2E, 0x2E] { names.append(name) }
      errno = 0
    }
    guard errno == 0 else { throw SystemError() }
    return names
  }

  /// The bytes of an entry's name, up to its NUL.
  private static func name(of entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
    withUnsafeBytes(of: &entry.pointee.d_name) { name in
      Array(UnsafeRawBufferPointer(rebasing: name.prefix { $0 != 0 }))
    }
  }
}
