import BackupFileTree
import CBackupFiles
import Foundation

extension DiskPath {
  /// Opens this file, never through a link at its end, and runs `body` on the descriptor.
  func withFile<Result>(
    _ options: Int32, _ body: (Int32) throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    let file = open(characters, options | O_NOFOLLOW | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw SystemError() }
    defer { close(file) }
    return try body(file)
  }

  /// Writes a whole file, made where it is missing.
  func write(_ contents: FileOperation.Contents, options: Int32) throws(SystemError) {
    try withFile(O_WRONLY | O_CREAT | options) { file throws(SystemError) in
      try file.write(contents, at: 0)
    }
  }

  /// Writes to the end of a file of `size` bytes.
  func append(_ contents: FileOperation.Contents, from size: Int64) throws(SystemError) {
    try withFile(O_WRONLY) { file throws(SystemError) in try file.write(contents, at: size) }
  }

  /// Writes a temporary file beside this one and renames it over, as Foundation does.
  func replace(
    with contents: FileOperation.Contents, permissions: UInt32?
  ) throws(SystemError) {
    var temporary = self
    let directory = characters.dropLast().lastIndex(of: CChar(ContainerPath.separator))
    temporary.truncate(to: directory ?? 0)
    temporary.append(Array(".dat.nosync\(String(IdentityStamp.make(), radix: 36))".utf8))
    do throws(SystemError) {
      try temporary.write(contents, options: O_EXCL)
      if let permissions, chmod(temporary.characters, mode_t(permissions)) != 0 {
        throw SystemError()
      }
      try temporary.rename(to: self)
    } catch {
      unlink(temporary.characters)
      throw error
    }
  }

  /// Renames over whatever is at the destination.
  func rename(to destination: DiskPath) throws(SystemError) {
    guard Foundation.rename(characters, destination.characters) == 0 else { throw SystemError() }
  }

  /// Makes a directory whose parent exists.
  func makeDirectory() throws(SystemError) {
    guard mkdir(characters, 0o755) == 0 else { throw SystemError() }
  }

  /// Removes a file or link.
  func unlinkFile() throws(SystemError) {
    guard unlink(characters) == 0 else { throw SystemError() }
  }

  /// Removes an item with all in it, also from directories whose permissions forbid it.
  func removeItem() throws(SystemError) {
    // An empty directory costs one call, and no other item is taken for one.
    if rmdir(characters) == 0 { return }
    guard errno != ENOENT, let found = try status() else { return }
    guard found.kind == Int32(CFS_DIRECTORY.rawValue) else { return try unlinkFile() }
    if found.permissions & 0o700 != 0o700 { chmod(characters, 0o700) }
    for name in try names() { try appending(name).removeItem() }
    guard rmdir(characters) == 0 else { throw SystemError() }
  }

  /// Removes what a tree says is in this directory, and the directory, by one call for each item;
  /// what is something else, or holds more, stays.
  func removeKnownItems(_ tree: FileTree) {
    var items: [(path: ContainerPath, isDirectory: Bool)] = []
    tree.walk { path, item in
      items.append((path, item.isDirectory))
      return true
    }
    for item in items.reversed() {
      let disk = DiskPath(item.path, in: self)
      _ = item.isDirectory ? rmdir(disk.characters) : unlink(disk.characters)
    }
    rmdir(characters)
  }

  /// Sets or clears each of these marks.
  func setMark(_ marks: ExclusionMark, _ isSet: Bool) throws(SystemError) {
    for mark in ExclusionMark.all where marks.contains(mark) {
      if isSet {
        try ExtendedAttributes.set(mark.attributeName, to: mark.attributeValue, at: characters)
      } else {
        try ExtendedAttributes.remove(mark.attributeName, at: characters)
      }
    }
  }

  /// The marks on the item.
  func marks() throws(SystemError) -> ExclusionMark {
    var marks: ExclusionMark = []
    for mark in ExclusionMark.all
    where try ExtendedAttributes.value(of: mark.attributeName, at: characters) != nil {
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

  /// Writes all bytes at an offset of this open file.
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
