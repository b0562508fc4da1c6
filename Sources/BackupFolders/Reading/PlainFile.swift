import BackupDiagnostics
import Foundation

/// A regular file of a folder that anybody may have made: no link is followed, and no pipe waited
/// for.
struct PlainFile {
  /// Where it is.
  let path: String

  /// Whether anything is there.
  var isThere: Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// How many bytes it has; nil where no regular file is there.
  var size: Int64? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int64(status.st_size)
  }

  /// Whether a directory is there, and no link to one.
  var isDirectory: Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// What it holds.
  ///
  /// - Parameter limit: How many bytes it may have.
  /// - Returns: All of it.
  /// - Throws: ``BackupFolderError`` where it is missing, longer, no regular file or not readable.
  func bytes(atMost limit: Int) throws(BackupFolderError) -> [UInt8] {
    let (file, size) = try open()
    defer { close(file) }
    guard size <= limit else {
      throw BackupFolderError(path, "has \(size) bytes; at most \(limit) are read")
    }
    var bytes: [UInt8] = []
    try forEachPart(of: file) { part in
      bytes += part
      return bytes.count <= limit
    }
    return bytes
  }

  /// Copies what it holds to where nothing is.
  ///
  /// - Throws: ``BackupFolderError`` where it is missing, no regular file, or cannot be read or
  ///   copied.
  func copy(to target: String) throws(BackupFolderError) {
    let (file, _) = try open()
    defer { close(file) }
    let copy = Foundation.open(target, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard copy >= 0 else { throw failure() }
    defer { close(copy) }
    try forEachPart(of: file) { part throws(BackupFolderError) in
      var rest = part
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(copy, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw failure() }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }

  /// Opens the file; its descriptor and size.
  private func open() throws(BackupFolderError) -> (file: Int32, size: Int) {
    let file = Foundation.open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
    guard file >= 0 else { throw failure() }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(file)
      throw BackupFolderError(path, "is no regular file, as every file of a backup folder is")
    }
    return (file, Int(status.st_size))
  }

  /// Calls `body` with what an open file holds, until that says no.
  private func forEachPart(
    of file: Int32, _ body: (ArraySlice<UInt8>) throws(BackupFolderError) -> Bool
  ) throws(BackupFolderError) {
    var buffer = [UInt8](repeating: 0, count: 1 << 17)
    while true {
      let count = buffer.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure() }
      guard count > 0, try body(buffer[..<count]) else { return }
    }
  }

  /// The error of the last call of the system.
  private func failure() -> BackupFolderError {
    switch errno {
    case ELOOP: BackupFolderError(path, "is a link, which is not followed in a backup folder")
    case ENOENT: BackupFolderError(path, "is not there")
    case let number: BackupFolderError(path, String(cString: strerror(number)).lowercased())
    }
  }
}
