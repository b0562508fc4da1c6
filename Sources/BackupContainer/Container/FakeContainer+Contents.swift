package import BackupFileTree
package import Foundation

extension FakeContainer {
  /// What a file holds; nil if it is missing. No link on the way is followed.
  package func bytes(of path: ContainerPath) throws(FakeContainerError) -> [UInt8]? {
    try reading(path) { disk throws(SystemError) in try disk.bytesIfThere() }
  }

  /// Copies what a file holds, without its attributes, to where nothing is; holes stay holes.
  package func copyFile(_ path: ContainerPath, to url: URL) throws(FakeContainerError) {
    try requireThere()
    do throws(SystemError) {
      try DiskPath(path, in: roots).copyFile(to: DiskPath(url))
    } catch {
      // Where the copy is made is the user's choice, and no folder of the kit's.
      let words = String(cString: strerror(error.number)).lowercased()
      throw FakeContainerError(path: path.description, reason: "cannot be copied: \(words)")
    }
  }

  /// The offset at which a file first differs from the copy of it in a backup, which has the same
  /// size; nil for nowhere. Two files that were both made by their size hold the same.
  package func firstDifference(
    of path: ContainerPath, from archive: ContainerArchive
  ) throws(FakeContainerError) -> Int64? {
    try reading(path) { disk throws(SystemError) in
      guard let copy = archive.copy(of: path) else { return nil }
      return try disk.firstDifference(from: copy)
    }
  }

  private func reading<Result>(
    _ path: ContainerPath, _ body: (DiskPath) throws(SystemError) -> Result
  ) throws(FakeContainerError) -> Result {
    try requireThere()
    do throws(SystemError) {
      return try body(DiskPath(path, in: roots))
    } catch {
      throw FakeContainerError(path: url(of: path).path, reason: "cannot be read: \(error)")
    }
  }
}

extension DiskPath {
  /// How many bytes of two files are compared at a time.
  private static let comparedAtOnce = 65_536

  /// Where this file first holds something else than another; nil if both hold the same.
  fileprivate func firstDifference(from other: DiskPath) throws(SystemError) -> Int64? {
    try withFile(O_RDONLY | O_NONBLOCK) { file throws(SystemError) in
      try other.withFile(O_RDONLY | O_NONBLOCK) { copy throws(SystemError) in
        if try file.isHole, try copy.isHole { return nil }
        var offset: Int64 = 0
        while true {
          let mine = try file.bytes(at: offset, count: Self.comparedAtOnce)
          let theirs = try copy.bytes(at: offset, count: Self.comparedAtOnce)
          if let index = zip(mine, theirs).enumerated().first(where: { $1.0 != $1.1 })?.offset {
            return offset + Int64(index)
          }
          if mine.count != theirs.count { return offset + Int64(min(mine.count, theirs.count)) }
          if mine.isEmpty { return nil }
          offset += Int64(mine.count)
        }
      }
    }
  }
}

extension Int32 {
  fileprivate var isHole: Bool {
    get throws(SystemError) {
      var status = stat()
      guard fstat(self, &status) == 0 else { throw SystemError() }
      return status.st_blocks == 0
    }
  }

  /// Bytes of this open file from an offset on; fewer only at its end.
  func bytes(at offset: Int64, count: Int) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let found = bytes.withUnsafeMutableBytes { buffer in
        pread(
          self, buffer.baseAddress?.advanced(by: filled), count - filled,
          off_t(offset) + off_t(filled))
      }
      if found < 0, errno == EINTR { continue }
      guard found >= 0 else { throw SystemError() }
      if found == 0 { break }
      filled += found
    }
    return Array(bytes[..<filled])
  }
}
