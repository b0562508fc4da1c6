import BackupFileTree
import CBackupFiles
import Foundation

extension DiskPath {
  /// Copies an item with its contents and attributes to a path where nothing exists. Holes stay
  /// holes, and links stay links. Sockets, pipes and devices are not copied.
  func copyItem(
    to destination: DiskPath, keepingDates keepsDates: Bool = false
  ) throws(SystemError) {
    guard let ownStatus = try status() else { throw SystemError(ENOENT) }
    switch UInt32(ownStatus.kind) {
    case CFS_FILE.rawValue:
      try copyFile(to: destination)
    case CFS_DIRECTORY.rawValue:
      try destination.makeDirectory()
      for name in try names() {
        try appending(name).copyItem(to: destination.appending(name), keepingDates: keepsDates)
      }
    case CFS_LINK.rawValue:
      return try destination.makeLink(to: try linkTarget())
    default:
      return
    }
    // The attributes come first, because the new permissions may forbid setting them.
    try destination.setAttributes(try attributes())
    if keepsDates {
      try destination.inDirectory { directory, name throws(SystemError) in
        try directory.setModificationDate(ownStatus.modified, of: name)
      }
    }
    try destination.setPermissions(ownStatus.permissions)
  }

  func linkTarget() throws(SystemError) -> [UInt8] {
    try inDirectory { directory, name throws(SystemError) in
      try directory.target(ofLink: name)
    }
  }

  /// Copies a file's data, without its permissions and attributes.
  ///
  /// - Returns: The number of bytes copied, without the holes.
  @discardableResult
  func copyFile(
    to destination: DiskPath, by search: ExtentSearch = cfs_next_extent
  ) throws(SystemError) -> Int64 {
    var byteCount: Int64 = 0
    try withCopy(at: destination) { source, target throws(SystemError) in
      try source.forEachExtent(by: search) { extent throws(SystemError) in
        try source.copyExtent(extent, to: target)
        byteCount += Int64(extent.count)
      }
    }
    return byteCount
  }

  /// Creates a file with the same size and no data. Calls `copyData` with the descriptors of this
  /// file and of the new file.
  func withCopy(
    at destination: DiskPath, _ copyData: (Int32, Int32) throws(SystemError) -> Void
  ) throws(SystemError) {
    try withFile(O_RDONLY | O_NONBLOCK) { source throws(SystemError) in
      try destination.withFile(O_WRONLY | O_CREAT | O_EXCL) { target throws(SystemError) in
        let size = lseek(source, 0, SEEK_END)
        guard size >= 0, ftruncate(target, size) == 0 else { throw SystemError() }
        try copyData(source, target)
      }
    }
  }
}

/// A function that finds the next range of data in an open file: `cfs_next_extent`, or in tests
/// `cfs_read_next_extent`.
typealias ExtentSearch = (Int32, Int64, Int64, UnsafeMutablePointer<cfs_extent>?) -> Int32

extension Int32 {
  /// Sets the date of modification of an item in this open directory, in nanoseconds since 1970.
  func setModificationDate(
    _ moment: Int64, of name: UnsafePointer<CChar>
  ) throws(SystemError) {
    let (seconds, nanoseconds) = moment.quotientAndRemainder(dividingBy: 1_000_000_000)
    let date = timespec(tv_sec: Int(seconds), tv_nsec: Int(nanoseconds))
    guard utimensat(self, name, [date, date], AT_SYMLINK_NOFOLLOW) == 0 else {
      throw SystemError()
    }
  }

  /// Sets the permissions of an item in this open directory. The item must not be a link.
  func setPermissions(
    _ permissions: UInt32, of name: UnsafePointer<CChar>
  ) throws(SystemError) {
    guard cfs_set_permissions_in(self, name, permissions) == 0 else { throw SystemError() }
  }

  /// Calls `body` with each range of data between the holes of an open file.
  func forEachExtent(
    by search: ExtentSearch = cfs_next_extent,
    _ body: (Range<Int64>) throws(SystemError) -> Void
  ) throws(SystemError) {
    let end = Int64(lseek(self, 0, SEEK_END))
    guard end >= 0 else { throw SystemError() }
    var offset: Int64 = 0
    while let extent = try nextExtent(from: offset, before: end, by: search) {
      try body(extent)
      offset = extent.upperBound
    }
  }

  /// Returns the next range of data, or nil if only a hole is left.
  private func nextExtent(
    from offset: Int64, before end: Int64, by search: ExtentSearch
  ) throws(SystemError) -> Range<Int64>? {
    var extent = cfs_extent()
    switch search(self, offset, end, &extent) {
    case 0: return nil
    case 1: return extent.begin..<extent.end
    default: throw SystemError()
    }
  }

  /// Returns true if a file is one hole, for example a file that was created with a size and no
  /// data. A file that APFS compresses or has not written yet also occupies no blocks, so the kit
  /// looks for data in a file without blocks.
  func isHole(by search: ExtentSearch = cfs_next_extent) throws(SystemError) -> Bool {
    var status = stat()
    guard fstat(self, &status) == 0 else { throw SystemError() }
    guard status.st_blocks == 0 else { return false }
    return try nextExtent(from: 0, before: Int64(status.st_size), by: search) == nil
  }

  func copyExtent(_ extent: Range<Int64>, to target: Int32) throws(SystemError) {
    var buffer = [UInt8](repeating: 0, count: Swift.min(1 << 17, extent.count))
    var offset = extent.lowerBound
    while offset < extent.upperBound {
      let count = try fill(&buffer, at: offset, before: extent.upperBound)
      guard count > 0 else { throw SystemError(EIO) }
      try target.write(buffer[..<count], at: offset)
      offset += Int64(count)
    }
  }

  /// Reads from an offset until the buffer is full, `end` is reached, or the file ends. Returns the
  /// number of bytes read.
  func fill(
    _ buffer: inout [UInt8], at offset: Int64, before end: Int64
  ) throws(SystemError) -> Int {
    let wantedCount = Swift.min(buffer.count, Int(end - offset))
    var size = 0
    while size < wantedCount {
      let count = buffer.withUnsafeMutableBytes {
        pread(
          self, $0.baseAddress?.advanced(by: size), wantedCount - size, off_t(offset) + off_t(size))
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw SystemError() }
      if count == 0 { break }
      size += count
    }
    return size
  }
}
