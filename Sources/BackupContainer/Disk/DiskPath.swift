import BackupFileTree
import CBackupFiles
import Foundation

/// A path on disk in the form that the C library takes: any bytes, ended by a NUL.
///
/// The app's code may replace a directory with a link at any time. So each call first opens the
/// item's directory without following a link, and then uses the item's name. To open the directory,
/// the call begins at a *trusted folder*. This is a device's folder, which the kit keeps open, or a
/// folder that the call opens by its path.
struct DiskPath: Hashable, Sendable {
  /// The bytes of the path, with the NUL.
  private(set) var characters: [CChar]
  /// The number of bytes in the path of the trusted folder.
  let trustedByteCount: Int
  /// The device's folder, if it is the trusted folder; nil if calls open the trusted folder by its
  /// path.
  private let deviceFolder: DeviceFolder?

  /// Creates the path of a file URL. The folder above the item is trusted. A relative path begins
  /// at the working directory.
  init(_ url: URL) {
    let path = url.path
    self.characters = Array((path.hasPrefix("/") ? path : "./\(path)").utf8CString)
    self.trustedByteCount = characters.lastIndex(of: Self.separator) ?? 0
    self.deviceFolder = nil
  }

  /// Creates the path of a file URL in a device's folder, which is trusted.
  init(_ url: URL, in deviceFolder: DeviceFolder) {
    self.characters = Array(url.path.utf8CString)
    self.trustedByteCount = deviceFolder.url.path.utf8.count
    self.deviceFolder = deviceFolder
  }

  /// Creates a path from the absolute path in a C string. The folder above the item is trusted.
  init(cString path: UnsafePointer<CChar>) {
    self.characters = Array(UnsafeBufferPointer(start: path, count: strlen(path) + 1))
    self.trustedByteCount = characters.lastIndex(of: Self.separator) ?? 0
    self.deviceFolder = nil
  }

  private static let separator = CChar(ContainerPath.separator)

  /// The path as text, with invalid UTF-8 replaced.
  var string: String {
    String(decoding: characters.dropLast().map(UInt8.init(truncatingIfNeeded:)), as: UTF8.self)
  }

  /// The path's bytes, without the NUL.
  var bytes: [UInt8] { characters.dropLast().map(UInt8.init(bitPattern:)) }

  /// The number of bytes in the path, without the NUL.
  var byteCount: Int { characters.count - 1 }

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
    path.truncate(to: characters.lastIndex(of: Self.separator) ?? byteCount)
    return path
  }

  mutating func truncate(to count: Int) {
    characters.removeLast(self.byteCount - count)
    characters[count] = 0
  }

  /// Opens the item's directory, and runs calls with its descriptor and the item's name. No link
  /// below the trusted folder is followed.
  func inDirectory<Result>(
    _ calls: (Int32, UnsafePointer<CChar>) throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    // NULs split the path into the trusted folder, the path from this folder to the directory, and
    // the name.
    var splitPath = characters
    let nameSeparator = characters.lastIndex(of: Self.separator) ?? 0
    splitPath[trustedByteCount] = 0
    splitPath[nameSeparator] = 0
    return try splitPath.withUnsafeBufferPointer { splitPath throws(SystemError) in
      guard let trustedPath = splitPath.baseAddress else { throw SystemError(EINVAL) }
      let directoryPath =
        trustedPath + (nameSeparator > trustedByteCount ? trustedByteCount + 1 : nameSeparator)
      let name = trustedPath + nameSeparator + 1
      if let deviceFolder, directoryPath.pointee == 0 {
        return try calls(deviceFolder.descriptor, name)
      }
      let directory =
        deviceFolder.map { cfs_open_in($0.descriptor, directoryPath) }
        ?? cfs_open_beneath(trustedPath, directoryPath)
      guard directory >= 0 else { throw SystemError() }
      defer { close(directory) }
      return try calls(directory, name)
    }
  }

  /// Makes a system call with the item's directory and the item's name.
  func call(_ systemCall: (Int32, UnsafePointer<CChar>) -> Int32) throws(SystemError) {
    try inDirectory { directory, name throws(SystemError) in
      guard systemCall(directory, name) == 0 else { throw SystemError() }
    }
  }

  /// Returns the item's status, or nil if it does not exist. No link is followed.
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

  /// Returns the names in this directory, in byte order. A link to a directory is an error.
  func names() throws(SystemError) -> [[UInt8]] {
    try DirectoryNames.read(in: try openDirectory()) { names throws(SystemError) in names.bytes }
  }

  /// Opens this directory for reading. A link to a directory is an error.
  func openDirectory() throws(SystemError) -> Int32 { try open(DirectoryNames.openOptions) }

  func makeLink(to target: [UInt8]) throws(SystemError) {
    let characters = target.map(CChar.init(truncatingIfNeeded:)) + [0]
    try call { symlinkat(characters, $0, $1) }
  }

  /// Sets the permissions of an item that is not a link.
  func setPermissions(_ permissions: UInt32) throws(SystemError) {
    try inDirectory { directory, name throws(SystemError) in
      try directory.setPermissions(permissions, of: name)
    }
  }

  /// Runs calls that read and write an item.
  ///
  /// If the item's permissions forbid the calls, the calls run again with wider permissions. The
  /// former permissions are then restored.
  func whileWritable(_ calls: (DiskPath) throws(SystemError) -> Void) throws(SystemError) {
    do throws(SystemError) {
      return try calls(self)
    } catch {
      guard error.number == EACCES || error.number == EPERM, let formerStatus = try status(),
        UInt32(formerStatus.kind) != CFS_LINK.rawValue, formerStatus.permissions & 0o600 != 0o600
      else { throw error }
      try setPermissions(formerStatus.permissions | 0o600)
      let result = Result { () throws(SystemError) in try calls(self) }
      try setPermissions(formerStatus.permissions)
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

  /// Opens this file, never through a link. The caller must close the descriptor.
  func open(_ options: Int32) throws(SystemError) -> Int32 {
    try inDirectory { directory, name throws(SystemError) in
      try Self.open(name, in: directory, options)
    }
  }

  /// Opens a file of an open directory, never through a link. The caller must close the descriptor.
  static func open(
    _ name: UnsafePointer<CChar>, in directory: Int32, _ options: Int32
  ) throws(SystemError) -> Int32 {
    let file = openat(directory, name, options | O_NOFOLLOW | O_CLOEXEC, 0o644 as mode_t)
    guard file >= 0 else { throw SystemError() }
    return file
  }

  /// Writes a file, and creates it if it is missing. `options` are flags of open(2).
  func write(_ contents: FileOperation.Contents, options: Int32) throws(SystemError) {
    try withFile(O_WRONLY | O_CREAT | options) { file throws(SystemError) in
      try file.write(contents, at: 0)
    }
  }

  /// Writes a byte to this file, which must exist and have only one path.
  ///
  /// - Returns: The file's new date of modification, in nanoseconds since 1970.
  /// - Throws: ``SystemError`` if the file is missing, has several paths, or cannot be written.
  func dateAfterWriting() throws(SystemError) -> Int64 {
    try inDirectory { directory, name throws(SystemError) in
      try Self.withFile(name, in: directory, O_WRONLY | O_NONBLOCK) { file throws(SystemError) in
        var fileStatus = stat()
        guard fstat(file, &fileStatus) == 0 else { throw SystemError() }
        guard fileStatus.st_mode & S_IFMT == S_IFREG, fileStatus.st_nlink == 1 else {
          throw SystemError(EINVAL)
        }
        try file.write([0], at: 0)
      }
      var status = cfs_status()
      guard cfs_status_in(directory, name, &status) == 0 else { throw SystemError() }
      return status.modified
    }
  }

  /// Returns the contents of this file, or nil if it does not exist.
  func bytesIfPresent() throws(SystemError) -> [UInt8]? {
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

  /// Writes a temporary file beside this one, and renames it to this path, as Foundation does.
  func replace(with contents: FileOperation.Contents, permissions: UInt32?) throws(SystemError) {
    let temporaryName = Array(".dat.nosync\(String(DiskPath.makeStamp(), radix: 36))".utf8CString)
    try inDirectory { directory, name throws(SystemError) in
      do throws(SystemError) {
        try Self.withFile(temporaryName, in: directory, O_WRONLY | O_CREAT | O_EXCL) {
          file throws(SystemError) in
          try file.write(contents, at: 0)
          guard let permissions else { return }
          guard fchmod(file, mode_t(permissions)) == 0 else { throw SystemError() }
        }
        guard renameat(directory, temporaryName, directory, name) == 0 else { throw SystemError() }
      } catch {
        unlinkat(directory, temporaryName, 0)
        throw error
      }
    }
  }

  /// Renames the item. Replaces an item at the destination, as rename(2) does.
  func rename(to destination: DiskPath) throws(SystemError) {
    try inDirectory { directory, name throws(SystemError) in
      try destination.inDirectory { newDirectory, newName throws(SystemError) in
        guard renameat(directory, name, newDirectory, newName) == 0 else { throw SystemError() }
      }
    }
  }

  /// Creates a directory in an existing parent.
  func makeDirectory(permissions: mode_t = 0o755) throws(SystemError) {
    try call { mkdirat($0, $1, permissions) }
  }

  func unlinkFile() throws(SystemError) {
    try call { unlinkat($0, $1, 0) }
  }

  func removeEmptyDirectory() throws(SystemError) {
    try call { unlinkat($0, $1, AT_REMOVEDIR) }
  }

  /// Removes an item with its contents, even if permissions of directories forbid the removal. A
  /// missing item is no error.
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

  /// Removes the items of a tree from this directory, and then the directory, with one call for
  /// each item.
  ///
  /// Items that are not in the tree or cannot be removed stay, and so do the directories above
  /// them. This call reports no errors. A later removal of the whole directory reports them, and is
  /// faster after this call.
  func removeItems(of tree: FileTree) {
    try? inDirectory { directory, name in
      Self.removeItems(tree.children, of: name, in: directory)
    }
  }

  private static func removeItems(
    _ children: FileTree.Children, of name: UnsafePointer<CChar>, in directory: Int32
  ) {
    if !children.isEmpty {
      let descriptor = openat(directory, name, DirectoryNames.openOptions)
      guard descriptor >= 0 else { return }
      defer { close(descriptor) }
      for entry in children.entries {
        let name = entry.name.bytes.map(CChar.init(truncatingIfNeeded:)) + [0]
        if entry.item.isDirectory {
          removeItems(entry.item.children, of: name, in: descriptor)
        } else {
          unlinkat(descriptor, name, 0)
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

  /// Creates an error from its number, by default that of this thread's last failed system call.
  init(_ number: Int32 = errno) {
    // EOPNOTSUPP and ENOTSUP are equal on Linux, but not on Apple platforms.
    self.number = number == EOPNOTSUPP ? ENOTSUP : number
  }

  var isMissingItem: Bool { number == ENOENT || number == ENOTDIR }

  /// True if the machine is at fault, and not the app.
  var isMachineFault: Bool { MachineFault.includes(number) }

  /// A description of the error in the platform's words, with advice if the machine is at fault.
  var description: String { MachineFault.words(for: number) }

  /// Returns the result of system calls, or nil if the system refuses them.
  ///
  /// - Throws: The error if the machine is at fault.
  static func nilIfRefused<Result>(
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
  private static let zeroChunkSize: Int64 = 1 << 17

  /// The largest number of zeros that are written over existing data, in bytes.
  private static let overwriteLimit: Int64 = 1 << 30

  /// Writes contents at an offset of this open file.
  func write(_ contents: FileOperation.Contents, at offset: Int64) throws(SystemError) {
    switch contents {
    case .zeros: try writeZeros(contents.size, at: offset)
    case .bytes(let bytes): try write(bytes[...], at: offset)
    }
  }

  /// Writes zeros into this open file. Zeros after its end become a hole.
  private func writeZeros(_ count: Int64, at offset: Int64) throws(SystemError) {
    let size = Int64(lseek(self, 0, SEEK_END))
    guard size >= 0 else { throw SystemError() }
    guard Swift.min(size, offset + count) - offset <= Self.overwriteLimit else {
      throw SystemError(EFBIG)
    }
    var position = offset
    while position < Swift.min(size, offset + count) {
      let length = Swift.min(Self.zeroChunkSize, Swift.min(size, offset + count) - position)
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
    var remainingBytes = bytes
    var position = offset
    while !remainingBytes.isEmpty {
      let count = remainingBytes.withUnsafeBytes {
        pwrite(self, $0.baseAddress, $0.count, off_t(position))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw count == 0 ? SystemError(EIO) : SystemError() }
      remainingBytes.removeFirst(count)
      position += Int64(count)
    }
  }
}

// A stamp is an extended attribute by which the kit recognizes an item in the next scan. An inode
// number is not enough, because the system reuses it for a new item. Reports do not show stamps,
// and the kit does not take them for attributes that the app has set.
extension DiskPath {
  static let stampName = "swift-backup-testing.identity"

  /// Returns a stamp that no other item has; never 0.
  static func makeStamp() -> UInt64 { UInt64.random(in: 1...UInt64.max) }

  /// Returns the stamp of an item in a directory; nil if the item has none. `directory` is a
  /// descriptor, or -1 to find the directory by its path.
  ///
  /// One call is enough, because a value of another size is not a stamp.
  static func readStamp(
    of name: UnsafePointer<CChar>, in directory: Int32, at path: DiskPath
  ) throws(SystemError) -> UInt64? {
    var stamp: UInt64 = 0
    let size = path.characters.withUnsafeBufferPointer { path in
      var place = cea_place(directory: directory, directory_path: path.baseAddress, name: name)
      return cea_get_in(&place, stampName, &stamp, MemoryLayout<UInt64>.size)
    }
    if size == MemoryLayout<UInt64>.size { return UInt64(bigEndian: stamp) }
    guard size >= 0 || errno == ERANGE || cea_is_missing_error(errno) != 0 else {
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
  /// Adds a stamp to each file and directory on disk that has none. If a copied item has the stamp
  /// of another item, the copy gets a new stamp.
  ///
  /// This tree must be a new scan of the container. Returns the tree with the new stamps.
  func stampItems(in roots: ContainerRoots) throws(SystemError) -> FileTree {
    var stampedTree = self
    // If several items have the same stamp, only the first keeps it. Several paths with the same
    // inode number are one item.
    var inodesByStamp: [UInt64: UInt64] = [:]
    var newStampsByInode: [UInt64: UInt64] = [:]
    try visit { item in
      guard item.canBeStamped else { return false }
      let inode = item.observation.inode
      if item.stamp == 0 { return true }
      if let firstInode = inodesByStamp.updateValue(inode, forKey: item.stamp),
        firstInode != inode
      {
        inodesByStamp[item.stamp] = firstInode
        return true
      }
      return false
    } _: { path, item throws(SystemError) in
      let inode = item.observation.inode
      let stamp = newStampsByInode[inode] ?? DiskPath.makeStamp()
      try DiskPath(path, in: roots).whileWritable { diskPath throws(SystemError) in
        try diskPath.write(stamp: stamp)
      }
      newStampsByInode[inode] = stamp
      inodesByStamp[stamp] = inode
      stampedTree.modify(path) { $0.observation.identity = stamp }
    }
    return stampedTree
  }
}
