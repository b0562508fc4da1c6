import BackupDiagnostics
import BackupFileTree
import Foundation

/// Reads files that others may have put in their places.
///
/// Only regular files are opened: a pipe keeps its reader waiting, and a device need not end.
package enum RegularFile {
  package struct Obstacle: Error, Sendable, CustomStringConvertible {
    package enum Cause: Hashable, Sendable {
      case missing
      /// Something other than a file is there.
      case noFile
      case tooLarge
      case unreadable
      /// The caller does not want such a file.
      case unwanted
    }

    package let path: String
    package let cause: Cause
    /// The obstacle, in words for the end of a sentence.
    package let reason: String
    /// The error number of the system; nil if it refused nothing.
    package fileprivate(set) var number: Int32?

    package var isMissing: Bool { cause == .missing }
    package var description: String { "\(path): \(reason)" }
  }

  /// Returns the bytes of a regular file, or the first `count` if it has more. A link is no regular
  /// file unless it is followed.
  package static func bytes(
    at path: String, upTo count: Int, followingLinks followsLinks: Bool
  ) throws(Obstacle) -> [UInt8] {
    let file = try open(path, followingLinks: followsLinks)
    defer { close(file) }
    var bytes: [UInt8] = []
    try forEachPart(of: file, at: path) { part throws(Obstacle) in
      bytes += part.prefix(count - bytes.count)
      return bytes.count < count
    }
    return bytes
  }

  /// Copies a regular file, but no link, to a path where nothing exists. Only its user can access
  /// the copy.
  ///
  /// Before the copy, `problem` receives the file's first 100 bytes and its size, and returns a
  /// reason not to copy it, or nil.
  ///
  /// - Returns: The number of bytes copied, at most `limit`.
  @discardableResult
  package static func copy(
    from path: String, to target: String, upTo limit: Int64,
    unless problem: (_ start: [UInt8], _ size: Int64) -> String? = { _, _ in nil }
  ) throws(Obstacle) -> Int64 {
    let file = try open(path, followingLinks: false)
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw Obstacle(path, errno) }
    // A file with holes may have a larger size than any volume.
    guard status.st_size <= limit else { throw Obstacle(path, largerThan: limit) }
    var start = [UInt8](repeating: 0, count: 100)
    let count = start.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) }
    guard count >= 0 else { throw Obstacle(path, errno) }
    if let reason = problem(Array(start.prefix(count)), Int64(status.st_size)) {
      throw Obstacle(path: path, cause: .unwanted, reason: reason)
    }
    let copy = Foundation.open(target, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard copy >= 0 else { throw Obstacle(target, errno) }
    defer { close(copy) }
    var remaining = limit
    try forEachPart(of: file, at: path) { part throws(Obstacle) in
      guard part.count <= remaining else { throw Obstacle(path, largerThan: limit) }
      do throws(SystemError) {
        try copy.write(part, at: limit - remaining)
      } catch {
        throw Obstacle(target, error.number)
      }
      remaining -= Int64(part.count)
      return true
    }
    return limit - remaining
  }

  private static func open(
    _ path: String, followingLinks followsLinks: Bool
  ) throws(Obstacle) -> Int32 {
    // If an item cannot be examined, opening it gives the reason.
    try require(FileKind(at: path, followingLinks: followsLinks), at: path)
    // An item that took its place meanwhile must not block this process either.
    let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | (followsLinks ? 0 : O_NOFOLLOW)
    let file = Foundation.open(path, flags)
    guard file >= 0 else { throw Obstacle(path, errno) }
    do throws(Obstacle) {
      try require(FileKind(of: file, at: path), at: path)
    } catch {
      close(file)
      throw error
    }
    return file
  }

  private static func require(_ kind: FileKind?, at path: String) throws(Obstacle) {
    guard let kind, kind != .file else { return }
    throw Obstacle(path: path, cause: .noFile, reason: "this is \(kind.inWords), not a file")
  }

  private static func forEachPart(
    of file: Int32, at path: String, _ body: (ArraySlice<UInt8>) throws(Obstacle) -> Bool
  ) throws(Obstacle) {
    var buffer = [UInt8](repeating: 0, count: 1 << 17)
    while true {
      let count = buffer.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Obstacle(path, errno) }
      guard count > 0, try body(buffer[..<count]) else { return }
    }
  }
}

extension RegularFile.Obstacle {
  fileprivate init(_ path: String, _ number: Int32) {
    let reason =
      switch number {
      case ENOENT: "no such file or folder"
      case ELOOP: "this is a link, not a file"
      case _ where MachineFault.isOne(number): MachineFault.words(for: number)
      default: String(cString: strerror(number)).lowercased()
      }
    let cause: Cause =
      switch number {
      case ENOENT: .missing
      case ELOOP: .noFile
      default: .unreadable
      }
    self.init(path: path, cause: cause, reason: reason, number: number)
  }

  fileprivate init(_ path: String, largerThan limit: Int64) {
    self.init(
      path: path, cause: .tooLarge,
      reason: "is larger than \(limit.formattedSize), the most that the kit reads")
  }
}

/// The kind of an item on disk, for paths that a person gives the kit.
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
  package static func found(
    at path: String, followingLinks followsLinks: Bool
  ) throws(RegularFile.Obstacle) -> FileKind? {
    if let kind = FileKind(at: path, followingLinks: followsLinks) { return kind }
    let number = errno
    if number == ENOENT || number == ENOTDIR { return nil }
    throw RegularFile.Obstacle(path, number)
  }

  /// Finds the kind of an open file.
  init(of descriptor: Int32, at path: String) throws(RegularFile.Obstacle) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw RegularFile.Obstacle(path, errno) }
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
