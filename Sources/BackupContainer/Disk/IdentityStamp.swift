import BackupFileTree
import CBackupFiles
import Foundation

/// The kit's own mark on an item, by which one look at the disk knows it again at the next.
///
/// Inode numbers come back, so an item carries an extended attribute of the kit's. It is never a
/// part of a tree that reports see, and never counts as the app's.
enum IdentityStamp {
  static let attributeName = "swift-backup-testing.identity"

  /// A stamp that no other item has; never 0.
  static func make() -> UInt64 { UInt64.random(in: 1...UInt64.max) }

  /// The stamp of an item of a directory, or nil; one call, with room for a stamp and no more.
  ///
  /// - Parameters:
  ///   - name: The item's name.
  ///   - directory: The open directory, or -1 to go by its path.
  ///   - path: The directory's path.
  /// - Returns: The number; of a value of another length, which is not the kit's, nil.
  /// - Throws: ``SystemError`` where the item went away or may not be read.
  static func read(
    of name: UnsafePointer<CChar>, in directory: Int32, at path: DiskPath
  ) throws(SystemError) -> UInt64? {
    var stamp: UInt64 = 0
    let count = path.characters.withUnsafeBufferPointer { path in
      var place = cea_place(directory: directory, directory_path: path.baseAddress, name: name)
      return cea_get_in(&place, attributeName, &stamp, MemoryLayout<UInt64>.size)
    }
    if count == MemoryLayout<UInt64>.size { return UInt64(bigEndian: stamp) }
    guard count >= 0 || errno == ERANGE || cea_is_missing_error(errno) != 0 else {
      throw SystemError()
    }
    return nil
  }

  static func write(_ stamp: UInt64, at path: DiskPath) throws(SystemError) {
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: stamp >> (8 * (7 - $0))) }
    try path.setAttribute(attributeName, to: bytes)
  }

  /// Stamps every item that has no stamp, or shares another's because it is a copy.
  ///
  /// - Parameters:
  ///   - tree: The container as it was just found.
  ///   - roots: Where the containers are.
  /// - Returns: The container with the new stamps, which were in no look yet.
  /// - Throws: ``SystemError`` where an item cannot be stamped.
  static func stampItems(
    of tree: FileTree, in roots: ContainerRoots
  ) throws(SystemError) -> FileTree {
    var stamped = tree
    // Of the items that bear a stamp, the first that is met keeps it, and its other names with it.
    var inodes: [UInt64: UInt64] = [:]
    var fresh: [UInt64: UInt64] = [:]
    try tree.visit { item in
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
      let stamp = fresh[inode] ?? make()
      try DiskPath(path, in: roots).whileWritable { disk throws(SystemError) in
        try write(stamp, at: disk)
      }
      fresh[inode] = stamp
      inodes[stamp] = inode
      stamped.modify(path) { $0.observation.identity = stamp }
    }
    return stamped
  }
}
