import CBackupFiles
import Foundation

extension DiskPath {
  /// Runs calls that need an item to be readable and writable for its owner.
  ///
  /// Where the permissions forbid it, they are widened for the time of a second try.
  func whileWritable(_ calls: (DiskPath) throws(SystemError) -> Void) throws(SystemError) {
    do throws(SystemError) {
      return try calls(self)
    } catch {
      guard error.number == EACCES || error.number == EPERM, let found = try status(),
        UInt32(found.kind) != CFS_LINK.rawValue, found.permissions & 0o600 != 0o600,
        chmod(characters, mode_t(found.permissions | 0o600)) == 0
      else { throw error }
      defer { chmod(characters, mode_t(found.permissions)) }
      try calls(self)
    }
  }
}
