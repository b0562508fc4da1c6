import BackupFileTree
import CBackupFiles
import Foundation

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
  ///
  /// - Returns: The tree with the new stamps, which were in no look yet.
  /// - Throws: ``SystemError`` where an item cannot be stamped.
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
