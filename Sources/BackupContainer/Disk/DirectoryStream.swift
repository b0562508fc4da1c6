import Foundation

/// Reads directory entries.
enum DirectoryStream {
  /// How a directory is opened: never through a link at its end.
  static let options = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC

  /// Runs `body` with the names in a directory, which stays open meanwhile and is closed then.
  ///
  /// - Parameters:
  ///   - file: What open(2) returned, -1 too.
  ///   - body: Takes the names, in no order.
  /// - Returns: What `body` returns.
  /// - Throws: ``SystemError`` where it was not opened or cannot be read, and what `body` throws.
  static func withNames<Result>(
    in file: Int32, _ body: ([[UInt8]]) throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    guard file >= 0 else { throw SystemError() }
    guard let directory = fdopendir(file) else {
      defer { close(file) }
      throw SystemError()
    }
    defer { closedir(directory) }
    return try body(try names(readingNext: { readdir(directory) }))
  }

  /// Every name but `.` and `..`; `next` reads an entry, nil at the end or on failure.
  static func names(
    readingNext next: () -> UnsafeMutablePointer<dirent>?
  ) throws(SystemError) -> [[UInt8]] {
    var names: [[UInt8]] = []
    errno = 0
    while let entry = next() {
      let name = name(of: entry)
      if name != [0x2E], name != [0x2E, 0x2E] { names.append(name) }
      errno = 0
    }
    guard errno == 0 else { throw SystemError() }
    return names
  }

  /// The bytes of an entry's name, up to its NUL.
  private static func name(of entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
    withUnsafeBytes(of: &entry.pointee.d_name) { name in
      Array(UnsafeRawBufferPointer(rebasing: name.prefix { $0 != 0 }))
    }
  }
}
