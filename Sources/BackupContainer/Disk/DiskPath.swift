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

  /// Makes a system call with the directory that the item is in and the item's name.
  func call(_ call: (Int32, UnsafePointer<CChar>) -> Int32) throws(SystemError) {
    try inDirectory { directory, name throws(SystemError) in
      guard call(directory, name) == 0 else { throw SystemError() }
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
  func openDirectory() throws(SystemError) -> Int32 { try open(DirectoryNames.openOptions) }

  func makeLink(to target: [UInt8]) throws(SystemError) {
    let target = target.map(CChar.init(truncatingIfNeeded:)) + [0]
    try call { symlinkat(target, $0, $1) }
  }

  /// Sets the permissions of an item that is no link.
  func setPermissions(_ permissions: UInt32) throws(SystemError) {
    try call { cfs_set_permissions_in($0, $1, permissions) }
  }

  /// Runs calls that need an item to be readable and writable for its owner.
  ///
  /// Where the permissions forbid it, they are widened for the time of a second try.
  func whileWritable(_ calls: (DiskPath) throws(SystemError) -> Void) throws(SystemError) {
    do throws(SystemError) {
      return try calls(self)
    } catch {
      guard error.number == EACCES || error.number == EPERM, let found = try status(),
        UInt32(found.kind) != CFS_LINK.rawValue, found.permissions & 0o600 != 0o600
      else { throw error }
      try setPermissions(found.permissions | 0o600)
      let result = Result { () throws(SystemError) in try calls(self) }
      try setPermissions(found.permissions)
      try result.get()
    }
  }

  /// Opens this file, never through a link, and runs `body` on the descriptor.
  func withFile<Result>(
    _ options: Int32, _ body: (Int32) throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    try inDirectory { directory, name throws(SystemError) in
      try Self.withFile(name, in: directory, options, body)
    }
  }

  /// Opens a file of an open directory, never through a link, and runs `body` on the descriptor.
  private static func withFile<Result>(
    _ name: UnsafePointer<CChar>, in directory: Int32, _ options: Int32,
    _ body: (Int32) throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    let file = try open(name, in: directory, options)
    defer { close(file) }
    return try body(file)
  }

  /// Opens this file, never through a link; the caller closes it.
  func open(_ options: Int32) throws(SystemError) -> Int32 {
    try inDirectory { directory, name throws(SystemError) in
      try Self.open(name, in: directory, options)
    }
  }

  private static func open(
    _ name: UnsafePointer<CChar>, in directory: Int32, _ options: Int32
  ) throws(SystemError) -> Int32 {
    let file = openat(directory, name, options | O_NOFOLLOW | O_CLOEXEC, 0o644 as mode_t)
    guard file >= 0 else { throw SystemError() }
    return file
  }

  /// Writes a whole file, made where it is missing.
  func write(_ contents: FileOperation.Contents, options: Int32) throws(SystemError) {
    try withFile(O_WRONLY | O_CREAT | options) { file throws(SystemError) in
      try file.write(contents, at: 0)
    }
  }

  /// Writes to this file, which is there and has one path.
  ///
  /// - Returns: The date that it bears then, in nanoseconds since 1970.
  /// - Throws: ``SystemError`` if it is anything else, or cannot be written.
  func dateByWriting() throws(SystemError) -> Int64 {
    try inDirectory { directory, name throws(SystemError) in
      try Self.withFile(name, in: directory, O_WRONLY | O_NONBLOCK) { file throws(SystemError) in
        var found = stat()
        guard fstat(file, &found) == 0 else { throw SystemError() }
        guard found.st_mode & S_IFMT == S_IFREG, found.st_nlink == 1 else {
          throw SystemError(EINVAL)
        }
        try file.write([0], at: 0)
      }
      var status = cfs_status()
      guard cfs_status_in(directory, name, &status) == 0 else { throw SystemError() }
      return status.modified
    }
  }

  /// What a file holds; nil if it does not exist.
  func bytesIfThere() throws(SystemError) -> [UInt8]? {
    do throws(SystemError) {
      return try withFile(O_RDONLY | O_NONBLOCK) { file throws(SystemError) in
        try file.readToEnd()
      }
    } catch {
      if error.isMissingItem { return nil }
      throw error
    }
  }

  func setSize(_ size: Int64) throws(SystemError) {
    try withFile(O_WRONLY) { file throws(SystemError) in
      guard ftruncate(file, off_t(size)) == 0 else { throw SystemError() }
    }
  }

  /// Writes a temporary file beside this one and renames it over, as Foundation does.
  func replace(with contents: FileOperation.Contents, permissions: UInt32?) throws(SystemError) {
    let temporary = Array(".dat.nosync\(String(DiskPath.makeStamp(), radix: 36))".utf8CString)
    try inDirectory { directory, name throws(SystemError) in
      do throws(SystemError) {
        try Self.withFile(temporary, in: directory, O_WRONLY | O_CREAT | O_EXCL) {
          file throws(SystemError) in
          try file.write(contents, at: 0)
          guard let permissions else { return }
          guard fchmod(file, mode_t(permissions)) == 0 else { throw SystemError() }
        }
        guard renameat(directory, temporary, directory, name) == 0 else { throw SystemError() }
      } catch {
        unlinkat(directory, temporary, 0)
        throw error
      }
    }
  }

  /// Renames over whatever is at the destination.
  func rename(to destination: DiskPath) throws(SystemError) {
    try inDirectory { directory, name throws(SystemError) in
      try destination.inDirectory { newDirectory, newName throws(SystemError) in
        guard renameat(directory, name, newDirectory, newName) == 0 else { throw SystemError() }
      }
    }
  }

  /// Makes a directory whose parent exists.
  func makeDirectory(permissions: mode_t = 0o755) throws(SystemError) {
    try call { mkdirat($0, $1, permissions) }
  }

  func unlinkFile() throws(SystemError) {
    try call { unlinkat($0, $1, 0) }
  }

  func removeEmptyDirectory() throws(SystemError) {
    try call { unlinkat($0, $1, AT_REMOVEDIR) }
  }

  /// Removes an item with all in it, also from directories whose permissions forbid it; one that is
  /// not there is no error.
  func removeItem() throws(SystemError) {
    do throws(SystemError) {
      try inDirectory { directory, name throws(SystemError) in
        let error = SystemError(cfs_remove_item(directory, name))
        guard error.number == 0 else { throw error }
      }
    } catch {
      guard error.isMissingItem else { throw error }
    }
  }

  /// Removes what a tree says is in this directory, and the directory, by one call for each item;
  /// what is something else, or holds more, stays, and so does what cannot be removed. It saves time
  /// before a removal of all that is left, which throws.
  func removeKnownItems(_ tree: FileTree) {
    try? inDirectory { directory, name in
      Self.removeKnown(tree.children, of: name, in: directory)
    }
  }

  /// Removes a directory that holds what is known; what is something else, or holds more, stays.
  private static func removeKnown(
    _ children: FileTree.Children, of name: UnsafePointer<CChar>, in directory: Int32
  ) {
    if !children.isEmpty {
      let opened = openat(directory, name, DirectoryNames.openOptions)
      guard opened >= 0 else { return }
      defer { close(opened) }
      for entry in children.entries {
        let name = entry.name.bytes.map(CChar.init(truncatingIfNeeded:)) + [0]
        if entry.item.isDirectory {
          removeKnown(entry.item.children, of: name, in: opened)
        } else {
          unlinkat(opened, name, 0)
        }
      }
    }
    unlinkat(directory, name, AT_REMOVEDIR)
  }
}

extension cfs_status {
  var isDirectory: Bool { UInt32(kind) == CFS_DIRECTORY.rawValue }
}

struct SystemError: Error, Hashable, CustomStringConvertible {
  let number: Int32

  /// The error the last system call of this thread left behind.
  init(_ number: Int32 = errno) {
    // One number on Linux, two on Apple platforms.
    self.number = number == EOPNOTSUPP ? ENOTSUP : number
  }

  var isMissingItem: Bool { number == ENOENT || number == ENOTDIR }

  /// Whether it is the machine's fault, never the app's.
  var isMachineFault: Bool { MachineFault.isOne(number) }

  /// The platform's words for it, and what to do if it is the machine's.
  var description: String { MachineFault.words(for: number) }

  /// The result of system calls; nil if the system refuses them.
  ///
  /// - Throws: The error if it is the machine's fault.
  static func unlessRefused<Result>(
    _ calls: () throws(SystemError) -> Result
  ) throws(SystemError) -> Result? {
    do throws(SystemError) {
      return try calls()
    } catch {
      if error.isMachineFault { throw error }
      return nil
    }
  }
}

extension Int32 {
  private static let zerosAtOnce: Int64 = 1 << 17

  /// The most zeros that are written over what a file holds.
  private static let mostZeros: Int64 = 1 << 30

  /// Writes contents at an offset of this open file.
  func write(_ contents: FileOperation.Contents, at offset: Int64) throws(SystemError) {
    switch contents {
    case .zeros: try writeZeros(contents.size, at: offset)
    case .bytes(let bytes): try write(bytes[...], at: offset)
    }
  }

  /// Writes zeros into this open file; at its end they become a hole.
  private func writeZeros(_ count: Int64, at offset: Int64) throws(SystemError) {
    let size = Int64(lseek(self, 0, SEEK_END))
    guard size >= 0 else { throw SystemError() }
    guard Swift.min(size, offset + count) - offset <= Self.mostZeros else {
      throw SystemError(EFBIG)
    }
    var position = offset
    while position < Swift.min(size, offset + count) {
      let length = Swift.min(Self.zerosAtOnce, Swift.min(size, offset + count) - position)
      try write([UInt8](repeating: 0, count: Int(length))[...], at: position)
      position += length
    }
    guard offset + count > size else { return }
    guard ftruncate(self, off_t(offset + count)) == 0 else { throw SystemError() }
  }

  fileprivate func readToEnd() throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(self, &buffer, buffer.count)
      if count == 0 { return bytes }
      if count > 0 {
        bytes += buffer[..<count]
      } else if errno != EINTR {
        throw SystemError()
      }
    }
  }

  func write(_ bytes: ArraySlice<UInt8>, at offset: Int64) throws(SystemError) {
    var rest = bytes
    var position = offset
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { pwrite(self, $0.baseAddress, $0.count, off_t(position)) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw count == 0 ? SystemError(EIO) : SystemError() }
      rest.removeFirst(count)
      position += Int64(count)
    }
  }
}

// A stamp is the kit's own mark on an item, by which one look at the disk knows it again at the
// next. Inode numbers come back, so an item carries an extended attribute of the kit's. It is never
// a part of a tree that reports see, and never counts as the app's.
extension DiskPath {
  static let stampName = "swift-backup-testing.identity"

  /// A stamp that no other item has; never 0.
  static func makeStamp() -> UInt64 { UInt64.random(in: 1...UInt64.max) }

  /// The stamp of an item of a directory, or nil; one call, with room for a stamp and no more. The
  /// directory is open, or -1 to go by its path.
  static func readStamp(
    of name: UnsafePointer<CChar>, in directory: Int32, at path: DiskPath
  ) throws(SystemError) -> UInt64? {
    var stamp: UInt64 = 0
    let count = path.characters.withUnsafeBufferPointer { path in
      var place = cea_place(directory: directory, directory_path: path.baseAddress, name: name)
      return cea_get_in(&place, stampName, &stamp, MemoryLayout<UInt64>.size)
    }
    if count == MemoryLayout<UInt64>.size { return UInt64(bigEndian: stamp) }
    guard count >= 0 || errno == ERANGE || cea_is_missing_error(errno) != 0 else {
      throw SystemError()
    }
    return nil
  }

  func write(stamp: UInt64) throws(SystemError) {
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: stamp >> (8 * (7 - $0))) }
    try setAttribute(Self.stampName, to: bytes)
  }
}

extension FileTree {
  /// Stamps every item on disk that has no stamp, or shares another's because it is a copy. The
  /// tree is the container as it was just found.
  /// Gives the tree with the new stamps.
  func stampItems(in roots: ContainerRoots) throws(SystemError) -> FileTree {
    var stamped = self
    // Of the items that bear a stamp, the first that is met keeps it, and its other names with it.
    var inodes: [UInt64: UInt64] = [:]
    var fresh: [UInt64: UInt64] = [:]
    try visit { item in
      guard item.canBeStamped else { return false }
      let inode = item.observation.inode
      if item.identity == 0 { return true }
      if let known = inodes.updateValue(inode, forKey: item.identity), known != inode {
        inodes[item.identity] = known
        return true
      }
      return false
    } _: { path, item throws(SystemError) in
      let inode = item.observation.inode
      let stamp = fresh[inode] ?? DiskPath.makeStamp()
      try DiskPath(path, in: roots).whileWritable { disk throws(SystemError) in
        try disk.write(stamp: stamp)
      }
      fresh[inode] = stamp
      inodes[stamp] = inode
      stamped.modify(path) { $0.observation.identity = stamp }
    }
    return stamped
  }
}
