import BackupFileTree
import CBackupFiles
import Foundation

extension DiskPath {
  /// Copies an item to where nothing is, with all in it and its marks; holes stay holes, links stay
  /// links.
  func copyItem(
    to destination: DiskPath, keepingDates keepsDates: Bool = false
  ) throws(SystemError) {
    guard let found = try status() else { throw SystemError(ENOENT) }
    switch UInt32(found.kind) {
    case CFS_FILE.rawValue:
      try copyFile(to: destination)
    case CFS_DIRECTORY.rawValue:
      try copyDirectory(to: destination, keepingDates: keepsDates)
    case CFS_LINK.rawValue:
      return try destination.makeLink(to: try linkTarget())
    default:
      return
    }
    // Before the permissions, which may forbid it.
    try destination.setMark(try marks(), true)
    if keepsDates { try destination.setModified(found.modified) }
    try destination.setPermissions(found.permissions)
  }

  /// Makes whatever is at another place a copy of this item, with its marks and dates. Directories
  /// that are there stay, since to make one takes a file system longest; what else is there goes,
  /// and so do those that have attributes of the app's own.
  func copyItem(over destination: DiskPath) throws(SystemError) {
    guard let found = try status(), found.isUsableDirectory,
      let former = try destination.status(), former.isUsableDirectory,
      try destination.attributeNames().isSubset(of: Self.ownAttributeNames)
    else {
      try destination.removeItem()
      return try copyItem(to: destination, keepingDates: true)
    }
    let names = Set(try names())
    for name in try destination.names() where !names.contains(name) {
      try destination.appending(name).removeItem()
    }
    for name in names { try appending(name).copyItem(over: destination.appending(name)) }
    let marks = try marks()
    try destination.setMark(try destination.marks().subtracting(marks), false)
    try destination.setMark(marks, true)
    try destination.setModified(found.modified)
    try destination.setPermissions(found.permissions)
  }

  /// The attributes that the kit sets on items, and knows what to make of.
  private static let ownAttributeNames = Set(
    ExclusionMark.all.map(\.attributeName) + [DiskPath.stampName])

  /// Dates an item, in nanoseconds since 1970.
  private func setModified(_ moment: Int64) throws(SystemError) {
    let (seconds, rest) = moment.quotientAndRemainder(dividingBy: 1_000_000_000)
    let date = timespec(tv_sec: Int(seconds), tv_nsec: Int(rest))
    try inDirectory { directory, name throws(SystemError) in
      guard utimensat(directory, name, [date, date], AT_SYMLINK_NOFOLLOW) == 0 else {
        throw SystemError()
      }
    }
  }

  private func copyDirectory(
    to destination: DiskPath, keepingDates keepsDates: Bool
  ) throws(SystemError) {
    try destination.makeDirectory()
    for name in try names() {
      try appending(name).copyItem(
        to: destination.appending(name), keepingDates: keepsDates)
    }
  }

  func linkTarget() throws(SystemError) -> [UInt8] {
    try inDirectory { directory, name throws(SystemError) in
      try directory.target(ofLink: name)
    }
  }

  /// Copies a file's data, without its permissions and attributes.
  func copyFile(to destination: DiskPath) throws(SystemError) {
    try withFile(O_RDONLY | O_NONBLOCK) { source throws(SystemError) in
      try destination.withFile(O_WRONLY | O_CREAT | O_EXCL) { target throws(SystemError) in
        try source.copyData(to: target)
      }
    }
  }
}

extension cfs_status {
  /// Whether it is a directory in which its owner may do anything.
  fileprivate var isUsableDirectory: Bool {
    UInt32(kind) == CFS_DIRECTORY.rawValue && permissions & 0o700 == 0o700
  }
}

extension Int32 {
  fileprivate func copyData(to target: Int32) throws(SystemError) {
    let end = Int64(lseek(self, 0, SEEK_END))
    guard end >= 0, ftruncate(target, off_t(end)) == 0 else { throw SystemError() }
    var offset: Int64 = 0
    while offset < end, let data = try nextData(from: offset) {
      let hole = cfs_next_hole(self, data)
      try copyExtent(data..<(hole > data ? hole : end), to: target)
      offset = hole > data ? hole : end
    }
  }

  /// Where data begins from an offset on; nil when only a hole is left.
  private func nextData(from offset: Int64) throws(SystemError) -> Int64? {
    let data = cfs_next_data(self, offset)
    if data >= 0 { return data }
    switch errno {
    case ENXIO: return nil
    case EINVAL, ENOTSUP: return offset
    default: throw SystemError()
    }
  }

  private func copyExtent(_ extent: Range<Int64>, to target: Int32) throws(SystemError) {
    var buffer = [UInt8](repeating: 0, count: 1 << 17)
    var offset = extent.lowerBound
    while offset < extent.upperBound {
      let wanted = Swift.min(buffer.count, Int(extent.upperBound - offset))
      let count = pread(self, &buffer, wanted, off_t(offset))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw count == 0 ? SystemError(EIO) : SystemError() }
      try target.write(buffer[..<count], at: offset)
      offset += Int64(count)
    }
  }
}
