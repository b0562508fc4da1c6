import BackupDiagnostics
import BackupFileTree
import Foundation

/// Reads files at paths that the kit does not control.
///
/// Only regular files are opened: reading from a pipe may block, and a device may never end.
package enum RegularFile {
  package struct AccessError: Error, Sendable, CustomStringConvertible {
    package enum Cause: Hashable, Sendable {
      case missing
      /// Something other than a file is there.
      case notAFile
      case tooLarge
      case unreadable
      /// The caller refused the file.
      case refusedByCaller
    }

    package let path: String
    package let cause: Cause
    /// The reason for the error, as the end of a sentence.
    package let reason: String
    /// The `errno` of the failed call; nil if the kit itself refused the file.
    package fileprivate(set) var errorNumber: Int32?

    package var isMissing: Bool { cause == .missing }
    package var description: String { "\(path): \(reason)" }
  }

  /// Returns at most the first `count` bytes of a regular file. Throws an error for a symbolic link
  /// unless `followsLinks` is true.
  package static func bytes(
    at path: String, upTo count: Int, followingLinks followsLinks: Bool
  ) throws(AccessError) -> [UInt8] {
    let file = try open(path, followingLinks: followsLinks)
    defer { close(file) }
    var bytes: [UInt8] = []
    try forEachChunk(of: file, at: path) { chunk throws(AccessError) in
      bytes += chunk.prefix(count - bytes.count)
      return bytes.count < count
    }
    return bytes
  }

  /// Copies a regular file to a path where nothing exists. A link is an error. The copy has the
  /// mode 0600.
  ///
  /// Before the copy, `refusalReason` gets the file's first 100 bytes and its size. It returns a
  /// reason not to copy the file, or nil.
  ///
  /// - Returns: The number of bytes copied, at most `limit`.
  @discardableResult
  package static func copy(
    from path: String, to target: String, upTo limit: Int64,
    unless refusalReason: (_ firstBytes: [UInt8], _ size: Int64) -> String? = { _, _ in nil }
  ) throws(AccessError) -> Int64 {
    let file = try open(path, followingLinks: false)
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw AccessError(path, errno) }
    // Checked before the file is read, because reading a huge sparse file would take too long.
    guard status.st_size <= limit else { throw AccessError(path, largerThan: limit) }
    var firstBytes = [UInt8](repeating: 0, count: 100)
    let count = firstBytes.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) }
    guard count >= 0 else { throw AccessError(path, errno) }
    if let reason = refusalReason(Array(firstBytes.prefix(count)), Int64(status.st_size)) {
      throw AccessError(path: path, cause: .refusedByCaller, reason: reason)
    }
    let copy = Foundation.open(target, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard copy >= 0 else { throw AccessError(target, errno) }
    defer { close(copy) }
    var remainingByteCount = limit
    try forEachChunk(of: file, at: path) { chunk throws(AccessError) in
      guard chunk.count <= remainingByteCount else { throw AccessError(path, largerThan: limit) }
      do throws(SystemError) {
        try copy.write(chunk, at: limit - remainingByteCount)
      } catch {
        throw AccessError(target, error.number)
      }
      remainingByteCount -= Int64(chunk.count)
      return true
    }
    return limit - remainingByteCount
  }

  private static func open(
    _ path: String, followingLinks followsLinks: Bool
  ) throws(AccessError) -> Int32 {
    // If the kind is unknown, opening the item gives the reason.
    try throwIfNotFile(FileKind(at: path, followingLinks: followsLinks), at: path)
    // The item may be replaced after the check, so opening must not block.
    let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | (followsLinks ? 0 : O_NOFOLLOW)
    let file = Foundation.open(path, flags)
    guard file >= 0 else { throw AccessError(path, errno) }
    do throws(AccessError) {
      try throwIfNotFile(FileKind(of: file, at: path), at: path)
    } catch {
      close(file)
      throw error
    }
    return file
  }

  private static func throwIfNotFile(_ kind: FileKind?, at path: String) throws(AccessError) {
    guard let kind, kind != .file else { return }
    throw AccessError(path: path, cause: .notAFile, reason: "this is \(kind.inWords), not a file")
  }

  /// Calls `continueAfter` with each chunk of a file, until a call returns false.
  private static func forEachChunk(
    of file: Int32, at path: String,
    _ continueAfter: (ArraySlice<UInt8>) throws(AccessError) -> Bool
  ) throws(AccessError) {
    var buffer = [UInt8](repeating: 0, count: 1 << 17)
    while true {
      let count = buffer.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw AccessError(path, errno) }
      guard count > 0, try continueAfter(buffer[..<count]) else { return }
    }
  }
}

extension RegularFile.AccessError {
  fileprivate init(_ path: String, _ errorNumber: Int32) {
    let reason =
      switch errorNumber {
      case ENOENT: "no such file or folder"
      case ELOOP: "this is a link, not a file"
      case _ where MachineFault.includes(errorNumber): MachineFault.words(for: errorNumber)
      default: String(cString: strerror(errorNumber)).lowercased()
      }
    let cause: Cause =
      switch errorNumber {
      case ENOENT: .missing
      case ELOOP: .notAFile
      default: .unreadable
      }
    self.init(path: path, cause: cause, reason: reason, errorNumber: errorNumber)
  }

  fileprivate init(_ path: String, largerThan limit: Int64) {
    self.init(
      path: path, cause: .tooLarge,
      reason: "is larger than \(limit.formattedSize), the most that the kit reads")
  }
}

/// The kind of an item on disk.
package enum FileKind: Hashable, Sendable {
  case file
  case folder
  case link
  case pipe
  case socket
  /// A device, such as a terminal or a disk.
  case device

  /// Finds the kind of an item without opening it. The result is nil, with `errno` set, if the item
  /// does not exist or cannot be examined.
  package init?(at path: String, followingLinks followsLinks: Bool) {
    var status = stat()
    guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
    self.init(mode: status.st_mode)
  }

  /// Returns the kind of an item without opening it; nil only if nothing exists at the path.
  package static func ofItem(
    at path: String, followingLinks followsLinks: Bool
  ) throws(RegularFile.AccessError) -> FileKind? {
    if let kind = FileKind(at: path, followingLinks: followsLinks) { return kind }
    let errorNumber = errno
    if errorNumber == ENOENT || errorNumber == ENOTDIR { return nil }
    throw RegularFile.AccessError(path, errorNumber)
  }

  init(of descriptor: Int32, at path: String) throws(RegularFile.AccessError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw RegularFile.AccessError(path, errno) }
    self.init(mode: status.st_mode)
  }

  private init(mode: mode_t) {
    switch mode & S_IFMT {
    case S_IFREG: self = .file
    case S_IFDIR: self = .folder
    case S_IFLNK: self = .link
    case S_IFIFO: self = .pipe
    case S_IFSOCK: self = .socket
    default: self = .device
    }
  }

  /// The kind with its article, for the middle of a sentence.
  package var inWords: String {
    switch self {
    case .file: "a file"
    case .folder: "a folder"
    case .link: "a link"
    case .pipe: "a pipe"
    case .socket: "a socket"
    case .device: "a device"
    }
  }
}
