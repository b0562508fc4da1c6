import BackupFileTree
import CBackupFiles
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

  /// The names in this directory, in byte order; a link to one is an error.
  func names() throws(SystemError) -> [[UInt8]] {
    let file = open(characters, DirectoryStream.options)
    return try DirectoryStream.withNames(in: file) { names throws(SystemError) in names.bytes }
  }
}

extension DiskPath {
  /// Makes a link that points to these bytes.
  func makeLink(to target: [UInt8]) throws(SystemError) {
    let target = target.map(CChar.init(truncatingIfNeeded:)) + [0]
    guard symlink(target, characters) == 0 else { throw SystemError() }
  }

  /// The bytes that this link points to.
  func linkTarget() throws(SystemError) -> [UInt8] {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlink(characters, &target, target.count)
    guard count >= 0 else { throw SystemError() }
    return target.prefix(count).map(UInt8.init(truncatingIfNeeded:))
  }

  /// Runs calls that need an item to be readable and writable for its owner.
  ///
  /// Where the permissions forbid it, they are widened for the time of a second try.
  func whileWritable(_ calls: (DiskPath) throws(SystemError) -> Void) throws(SystemError) {
    do throws(SystemError) {
      return try calls(self)
    } catch {
      guard error.number == EACCES || error.number == EPERM, let found = try status(),
        UInt32(found.kind) != CFS_LINK.rawValue, found.permissions & 0o600 != 0o600,
        chmod(characters, mode_t(found.permissions | 0o600)) == 0
      else { throw error }
      defer { chmod(characters, mode_t(found.permissions)) }
      try calls(self)
    }
  }
}

/// A failed system call.
struct SystemError: Error, Hashable, CustomStringConvertible {
  /// The platform's error number.
  let number: Int32

  /// The error the last system call of this thread left behind.
  init(_ number: Int32 = errno) {
    self.number = number
  }

  /// Whether nothing is at the path.
  var isMissingItem: Bool { number == ENOENT || number == ENOTDIR }

  /// The platform's words for it.
  var description: String { String(cString: strerror(number)) }

  /// The platform's words for a failure at a path, and what to do where the path is too long.
  func reason(at path: DiskPath) -> String {
    guard number == ENAMETOOLONG else { return description }
    return "\(description): the path has \(path.count) bytes on this disk, and this system takes "
      + "\(PATH_MAX - 1): set TMPDIR to a folder with a shorter path"
  }
}
