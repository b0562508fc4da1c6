import BackupDiagnostics
import Foundation

/// Reads files that others may have put where they are.
///
/// Nothing but a regular file is opened: a pipe keeps its reader waiting, and a device need not end.
package enum RegularFile {
  /// Why a file was not read.
  package struct Obstacle: Error, Sendable {
    /// Whether nothing is there.
    package let isMissing: Bool
    /// What is in the way, for the end of a sentence.
    package let reason: String
  }

  /// The bytes of a file.
  ///
  /// - Parameters:
  ///   - path: A path on disk, absolute or relative to the working directory; links are followed.
  ///   - count: How many bytes are read at most.
  /// - Returns: The whole file, or its first bytes where it has more.
  /// - Throws: ``Obstacle`` where nothing is there, it is no regular file, or it cannot be read.
  package static func bytes(at path: String, upTo count: Int) throws(Obstacle) -> [UInt8] {
    try require(FileKind(at: path, followingLinks: true))
    // What took its place since then must not hold up this process either.
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw .last }
    let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
    defer { try? handle.close() }
    try require(FileKind(of: file))
    do {
      return Array(try handle.read(upToCount: count) ?? Data())
    } catch {
      throw Obstacle(isMissing: false, reason: error.reason)
    }
  }

  /// Refuses what is there and no regular file.
  private static func require(_ kind: FileKind?) throws(Obstacle) {
    guard let kind, kind != .file else { return }
    throw Obstacle(isMissing: false, reason: "this is \(kind.inWords), and no file")
  }
}

extension RegularFile.Obstacle {
  /// What the last call of the system failed for.
  fileprivate static var last: RegularFile.Obstacle {
    let number = errno
    if number == ENOENT {
      return RegularFile.Obstacle(isMissing: true, reason: "no such file or folder")
    }
    return RegularFile.Obstacle(
      isMissing: false, reason: String(cString: strerror(number)).lowercased())
  }
}
