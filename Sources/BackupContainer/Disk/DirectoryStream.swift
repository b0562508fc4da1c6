import Foundation

/// Reads directory entries.
enum DirectoryStream {
  /// How a directory is opened: never through a link at its end.
  static let options = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC

  /// Runs `body` with the names in a directory, which stays open meanwhile and is closed then.
  ///
  /// - Parameters:
  ///   - file: What open(2) returned, -1 too.
  ///   - body: Takes the names, in byte order.
  /// - Returns: What `body` returns.
  /// - Throws: ``SystemError`` where it was not opened or cannot be read, and what `body` throws.
  static func withNames<Result>(
    in file: Int32, _ body: (DirectoryNames) throws(SystemError) -> Result
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
  ) throws(SystemError) -> DirectoryNames {
    var names = DirectoryNames()
    errno = 0
    while let entry = next() {
      withUnsafeBytes(of: &entry.pointee.d_name) { name in
        if let start = name.bindMemory(to: CChar.self).baseAddress { names.append(start) }
      }
      errno = 0
    }
    guard errno == 0 else { throw SystemError() }
    names.sort()
    return names
  }
}
