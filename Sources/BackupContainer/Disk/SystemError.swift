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
}
