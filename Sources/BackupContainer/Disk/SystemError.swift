import Foundation

/// A failed system call.
struct SystemError: Error, Hashable, CustomStringConvertible {
  /// The platform's error number.
  let number: Int32

  /// The error the last system call of this thread left behind.
  init(_ number: Int32 = errno) {
    self.number = number
  }

  /// Whether nothing is at the path.
  var isMissingItem: Bool { number == ENOENT || number == ENOTDIR }

  /// The platform's words for it.
  var description: String { String(cString: strerror(number)) }

  /// The platform's words for a failure at a path, and what to do where the path is too long.
  func reason(at path: DiskPath) -> String {
    guard number == ENAMETOOLONG else { return description }
    return "\(description): the path has \(path.count) bytes on this disk, and this system takes "
      + "\(PATH_MAX - 1): set TMPDIR to a folder with a shorter path"
  }
}
