import Foundation

/// Sets an extended attribute without the shim. Returns 0, or -1 for an error.
@_silgen_name("lsetxattr")
private func lsetxattr(
  _ path: UnsafePointer<CChar>, _ name: UnsafePointer<CChar>, _ value: UnsafeRawPointer,
  _ size: Int, _ flags: CInt
) -> CInt

/// Reads an extended attribute without the shim. Returns its size, or -1 for an error.
@_silgen_name("lgetxattr")
private func lgetxattr(
  _ path: UnsafePointer<CChar>, _ name: UnsafePointer<CChar>, _ value: UnsafeMutableRawPointer?,
  _ size: Int
) -> Int

extension URL {
  /// True if the item has the mark on disk. The mark is read without the shim.
  var hasMark: Bool {
    hasAttribute("user.com.apple.metadata:com_apple_backup_excludeItem")
  }

  /// Returns true if the item has an extended attribute. It is read without the shim.
  func hasAttribute(_ name: String) -> Bool { lgetxattr(path, name, nil, 0) >= 0 }

  /// Sets an extended attribute of four bytes, without the shim.
  func setAttribute(_ name: String) { _ = lsetxattr(path, name, "kit!", 4, 0) }
}
