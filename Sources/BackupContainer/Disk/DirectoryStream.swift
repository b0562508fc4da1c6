import CBackupFiles
import Foundation

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
    defer { close(file) }
    var names = DirectoryNames()
    let result = withUnsafeMutablePointer(to: &names) { names in
      cfs_each_name(
        file,
        { name, names in
          guard let name else { return }
          names?.assumingMemoryBound(to: DirectoryNames.self).pointee.append(name)
        }, names)
    }
    guard result == 0 else { throw SystemError() }
    names.sort()
    return try body(names)
  }
}
