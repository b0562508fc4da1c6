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
}
