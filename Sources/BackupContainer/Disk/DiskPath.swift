import BackupFileTree
import CBackupFiles
import Foundation

/// A path on disk as the C library takes it: any bytes, ended by a NUL.
///
/// The app's code may put a link in the place of a directory at any time, so each call opens the
/// item's directory first, following no link, and goes on relative to it. It begins at a device's
/// folder, which is held open, so that it is the one that the kit made; or at a folder that is
/// trusted to be found by its path.
struct DiskPath: Hashable, Sendable {
  /// The bytes, with the NUL.
  private(set) var characters: [CChar]
  /// How many bytes the path has of the folder at which calls begin.
  let trustedCount: Int
  /// The device's folder at which calls begin; nil for one that is opened by its path.
  private let folder: DeviceFolder?

  /// The path of a file URL; the folder above it is trusted. One that is not absolute begins at the
  /// working directory.
  init(_ url: URL) {
    let path = url.path
    self.characters = Array((path.hasPrefix("/") ? path : "./\(path)").utf8CString)
    self.trustedCount = characters.lastIndex(of: Self.separator) ?? 0
    self.folder = nil
  }

  /// The path of a file URL below a device's folder.
  init(_ url: URL, in folder: DeviceFolder) {
    self.characters = Array(url.path.utf8CString)
    self.trustedCount = folder.url.path.utf8.count
    self.folder = folder
  }

  /// An absolute path as the C library has it; the folder above it is trusted.
  init(cString path: UnsafePointer<CChar>) {
    self.characters = Array(UnsafeBufferPointer(start: path, count: strlen(path) + 1))
    self.trustedCount = characters.lastIndex(of: Self.separator) ?? 0
    self.folder = nil
  }

  private static let separator = CChar(ContainerPath.separator)

  /// The path; bytes that are no UTF-8 do not survive it.
  var string: String {
    String(decoding: characters.dropLast().map(UInt8.init(truncatingIfNeeded:)), as: UTF8.self)
  }

  /// The path's bytes, without the NUL.
  var bytes: [UInt8] { characters.dropLast().map(UInt8.init(bitPattern:)) }

  /// How many bytes the path has, without the NUL.
  var count: Int { characters.count - 1 }

  mutating func append(_ bytes: [UInt8]) {
    characters[characters.count - 1] = Self.separator
    bytes.withUnsafeBytes { characters.append(contentsOf: $0.bindMemory(to: CChar.self)) }
    characters.append(0)
  }

  func appending(_ bytes: [UInt8]) -> DiskPath {
    var path = self
    path.append(bytes)
    return path
  }

  var parent: DiskPath {
    var path = self
    path.truncate(to: characters.lastIndex(of: Self.separator) ?? count)
    return path
  }

  mutating func truncate(to count: Int) {
    characters.removeLast(self.count - count)
    characters[count] = 0
  }

  /// Opens the directory that the item is in, following no link below the folder at which calls
  /// begin, and runs calls with it and the item's name.
  func inDirectory<Result>(
    _ calls: (Int32, UnsafePointer<CChar>) throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    var parts = characters
    let end = characters.lastIndex(of: Self.separator) ?? 0
    parts[trustedCount] = 0
    parts[end] = 0
    return try parts.withUnsafeBufferPointer { parts throws(SystemError) in
      guard let trusted = parts.baseAddress else { throw SystemError(EINVAL) }
      let below = trusted + (end > trustedCount ? trustedCount + 1 : end)
      let name = trusted + end + 1
      if let folder, below.pointee == 0 { return try calls(folder.descriptor, name) }
      let directory =
        folder.map { cfs_open_in($0.descriptor, below) } ?? cfs_open_beneath(trusted, below)
      guard directory >= 0 else { throw SystemError() }
      defer { close(directory) }
      return try calls(directory, name)
    }
  }

  /// The item's status, or nil if it does not exist; never follows a link.
  func status() throws(SystemError) -> cfs_status? {
    do throws(SystemError) {
      return try inDirectory { directory, name throws(SystemError) in
        var status = cfs_status()
        guard cfs_status_in(directory, name, &status) == 0 else { throw SystemError() }
        return status
      }
    } catch {
      if error.isMissingItem { return nil }
      throw error
    }
  }

  /// The names in this directory, in byte order; a link to one is an error.
  func names() throws(SystemError) -> [[UInt8]] {
    try DirectoryNames.read(in: try openDirectory()) { names throws(SystemError) in names.bytes }
  }

  /// Opens this directory to read it; a link to one is an error.
  func openDirectory() throws(SystemError) -> Int32 {
    try inDirectory { directory, name throws(SystemError) in
      let file = openat(directory, name, DirectoryNames.openOptions)
      guard file >= 0 else { throw SystemError() }
      return file
    }
  }
}

extension DiskPath {
  func makeLink(to target: [UInt8]) throws(SystemError) {
    let target = target.map(CChar.init(truncatingIfNeeded:)) + [0]
    try inDirectory { directory, name throws(SystemError) in
      guard symlinkat(target, directory, name) == 0 else { throw SystemError() }
    }
  }

  /// Sets the permissions of an item that is no link.
  func setPermissions(_ permissions: UInt32) throws(SystemError) {
    try inDirectory { directory, name throws(SystemError) in
      guard cfs_set_permissions_in(directory, name, permissions) == 0 else { throw SystemError() }
    }
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
        (try? setPermissions(found.permissions | 0o600)) != nil
      else { throw error }
      defer { try? setPermissions(found.permissions) }
      try calls(self)
    }
  }
}

struct SystemError: Error, Hashable, CustomStringConvertible {
  let number: Int32

  /// The error the last system call of this thread left behind.
  init(_ number: Int32 = errno) {
    self.number = number
  }

  var isMissingItem: Bool { number == ENOENT || number == ENOTDIR }

  /// Whether it is the machine's fault, never the app's.
  var isMachineFault: Bool { MachineFault.isOne(number) }

  /// The platform's words for it, and what to do if it is the machine's.
  var description: String { MachineFault.words(for: number) }
}
