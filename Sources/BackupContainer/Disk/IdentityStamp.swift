import BackupFileTree
import Foundation

/// The kit's own mark on an item, by which one look at the disk knows it again at the next.
///
/// Inode numbers come back, so an item carries an extended attribute of the kit's. It is never a
/// part of a tree that reports see, and never counts as the app's.
enum IdentityStamp {
  /// The attribute's name.
  static let attributeName = "swift-backup-testing.identity"

  /// A stamp that no other item has; never 0.
  static func make() -> UInt64 { UInt64.random(in: 1...UInt64.max) }

  /// The stamp of the item at a path, or nil.
  static func read(at path: UnsafePointer<CChar>) throws(SystemError) -> UInt64? {
    guard let bytes = try ExtendedAttributes.value(of: attributeName, at: path) else { return nil }
    return bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Stamps the item at a path.
  static func write(_ stamp: UInt64, at path: UnsafePointer<CChar>) throws(SystemError) {
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: stamp >> (8 * (7 - $0))) }
    try ExtendedAttributes.set(attributeName, to: bytes, at: path)
  }

  /// Stamps every item that has no stamp, or shares another's because it is a copy.
  ///
  /// - Parameter root: The container's own path.
  /// - Throws: ``SystemError`` where an item cannot be stamped.
  static func stampItems(in root: DiskPath) throws(SystemError) {
    var known: [UInt64: UInt64] = [:]
    try Scanner.scan(root).walk { path, item throws(SystemError) in
      guard item.canBeStamped else { return true }
      let inode = item.observation.inode
      if item.identity == 0 || known[item.identity, default: inode] != inode {
        let stamp = make()
        known[stamp] = inode
        try DiskPath(path, in: root).whileWritable { disk throws(SystemError) in
          try write(stamp, at: disk.characters)
        }
      } else {
        known[item.identity] = inode
      }
      return true
    }
  }
}
