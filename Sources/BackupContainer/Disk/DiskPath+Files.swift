import BackupFileTree
import CBackupFiles
import Foundation

extension DiskPath {
  /// The permissions of a new file, before those that the process never gives.
  private static let usualPermissions: mode_t = 0o644

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
    let file = openat(directory, name, options | O_NOFOLLOW | O_CLOEXEC, usualPermissions)
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

  /// Writes to the end of a file of `size` bytes.
  func append(_ contents: FileOperation.Contents, from size: Int64) throws(SystemError) {
    try withFile(O_WRONLY) { file throws(SystemError) in try file.write(contents, at: size) }
  }

  func setSize(_ size: Int64) throws(SystemError) {
    try withFile(O_WRONLY) { file throws(SystemError) in
      guard ftruncate(file, off_t(size)) == 0 else { throw SystemError() }
    }
  }

  /// Writes a temporary file beside this one and renames it over, as Foundation does.
  func replace(
    with contents: FileOperation.Contents, permissions: UInt32?
  ) throws(SystemError) {
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
    try inDirectory { directory, name throws(SystemError) in
      guard mkdirat(directory, name, permissions) == 0 else { throw SystemError() }
    }
  }

  func unlinkFile() throws(SystemError) {
    try inDirectory { directory, name throws(SystemError) in
      guard unlinkat(directory, name, 0) == 0 else { throw SystemError() }
    }
  }

  func removeEmptyDirectory() throws(SystemError) {
    try inDirectory { directory, name throws(SystemError) in
      guard unlinkat(directory, name, AT_REMOVEDIR) == 0 else { throw SystemError() }
    }
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
  /// what is something else, or holds more, stays.
  func removeKnownItems(_ tree: FileTree) {
    try? inDirectory { directory, name in
      ItemRemoval.removeKnown(tree.children, of: name, in: directory)
    }
  }
}

extension DiskPath {
  func setMark(_ marks: ExclusionMark, _ isSet: Bool) throws(SystemError) {
    for mark in ExclusionMark.all where marks.contains(mark) {
      if isSet {
        try setAttribute(mark.attributeName, to: mark.attributeValue)
      } else {
        try removeAttribute(mark.attributeName)
      }
    }
  }

  func marks() throws(SystemError) -> ExclusionMark {
    var marks: ExclusionMark = []
    for mark in ExclusionMark.all where try attribute(mark.attributeName) != nil {
      marks.insert(mark)
    }
    return marks
  }
}

extension Int32 {
  /// Writes contents at an offset of this open file; zeros become a hole.
  fileprivate func write(_ contents: FileOperation.Contents, at offset: Int64) throws(SystemError) {
    switch contents {
    case .zeros:
      guard ftruncate(self, off_t(offset + contents.size)) == 0 else { throw SystemError() }
    case .bytes(let bytes):
      try write(bytes[...], at: offset)
    }
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
