import Foundation

/// Sets an extended attribute, without the shim; 0, or -1.
@_silgen_name("lsetxattr")
private func lsetxattr(
  _ path: UnsafePointer<CChar>, _ name: UnsafePointer<CChar>, _ value: UnsafeRawPointer,
  _ size: Int, _ flags: CInt
) -> CInt

/// Reads an extended attribute, without the shim; its size, or -1.
@_silgen_name("lgetxattr")
private func lgetxattr(
  _ path: UnsafePointer<CChar>, _ name: UnsafePointer<CChar>, _ value: UnsafeMutableRawPointer?,
  _ size: Int
) -> Int

extension URL {
  /// Whether the item bears the mark on disk, read without the shim.
  var hasMark: Bool {
    hasAttribute("user.com.apple.metadata:com_apple_backup_excludeItem")
  }

  /// Whether the item bears an extended attribute, read without the shim.
  func hasAttribute(_ name: String) -> Bool { lgetxattr(path, name, nil, 0) >= 0 }

  /// Sets an extended attribute of four bytes, without the shim.
  func setAttribute(_ name: String) { _ = lsetxattr(path, name, "kit!", 4, 0) }
}
