import BackupContainer
import BackupDiagnostics
package import BackupScenarios
import Foundation

/// A text file that is written whole or not at all: a report, a source file, a golden file, or the
/// list of the scenarios that failed.
package struct TextFile: Sendable {
  package let path: String
  /// Where that is, whatever becomes of the working directory.
  private let location: URL

  /// A file at a path on disk, which need not be there yet.
  package init(path: String) {
    self.path = path
    // Foundation expands a leading '~' to a user's home, which is the shell's business.
    self.location = URL(fileURLWithPath: path.hasPrefix("~") ? "./\(path)" : path).absoluteURL
  }

  /// A file whose place was found already, without links on the way.
  init(path: String, at place: String) {
    self.path = path
    self.location = URL(fileURLWithPath: place).absoluteURL
  }

  /// The absolute path of the file, behind all links.
  var place: String { url.path }

  /// Where the file is, or would be made, behind all links.
  var url: URL {
    let url = location.resolvingSymlinksInPath()
    // Foundation stops at a link behind which nothing is.
    guard FileKind(at: url.path, followingLinks: false) == .link,
      let place = try? Self.place(of: url.path, in: "/")
    else { return url }
    return URL(fileURLWithPath: place)
  }

  /// Whether a regular file is there, which a report can be replaced in.
  package var isThere: Bool { kind == .file }

  /// What is there behind all links; nil where nothing is.
  private var kind: FileKind? { FileKind(at: place, followingLinks: false) }

  /// Writes a text, whole or not at all, and keeps the permissions of a file that was there; a
  /// device or a pipe gets what is written and keeps its place.
  package func write(_ text: String) throws(RunError) {
    let data = Data(text.utf8)
    do {
      switch kind {
      case _ where path.hasSuffix("/"), .folder?:
        throw RunError(
          .unwritable,
          "\(path): cannot be written, because this is a folder; name a "
            + "file")
      case .file?,
        nil where !FileManager.default.fileExists(atPath: location.path):
        UnfinishedWork.shared.begin()
        defer { UnfinishedWork.shared.end() }
        try replace(with: data)
      default:
        try writeInPlace(data)
      }
    } catch let error as RunError {
      throw error
    } catch {
      throw unwritable(error)
    }
  }

  /// Writes a text to a new file, whole or not at all; it is an error if something is there, even
  /// if it came this moment.
  package func writeNew(_ text: String) throws(RunError) {
    do {
      UnfinishedWork.shared.begin()
      defer { UnfinishedWork.shared.end() }
      try put(Data(text.utf8), by: Self.take)
    } catch {
      throw unwritable(error)
    }
  }

  package func remove() { unlink(place) }

  /// Makes the folder that the file stands in, and those above, where they are not there.
  ///
  /// - Throws: ``RunError`` where one cannot be made.
  package func makeFolder() throws(RunError) {
    do {
      try FileManager.default.createDirectory(
        at: location.deletingLastPathComponent(),
        withIntermediateDirectories: true)
    } catch {
      try requireNoObstacle()
      throw unwritable(error)
    }
  }

  /// Refuses a path on which something is that is no folder, and so holds nothing.
  ///
  /// - Throws: ``RunError`` that says what it is.
  private func requireNoObstacle() throws(RunError) {
    for end in path.indices.dropFirst() where path[end] == "/" {
      let above = String(path[..<end])
      let kind =
        FileKind(at: above, followingLinks: true) ?? FileKind(at: above, followingLinks: false)
      guard let kind, kind != .folder else { continue }
      throw RunError(
        .unwritable,
        "\(path): cannot be written, because '\(above)' is \(kind.inWords), not a folder; name "
          + "another path")
    }
  }

  private func unwritable(_ error: any Error) -> RunError {
    RunError(.unwritable, "\(path): cannot be written: \(error.reason)", from: error)
  }

  /// Puts a new file with the permissions of the one that is there in its place.
  private func replace(with data: Data) throws {
    try put(data) { rename($0, $1) }
  }

  /// Gives a file a name that is free, where the volume can tell.
  private static func take(_ old: String, as new: String) -> Int32 {
    if link(old, new) == 0 { return unlink(old) }
    // A volume without hard links.
    return [EPERM, ENOTSUP, EOPNOTSUPP].contains(errno) ? rename(old, new) : -1
  }

  /// Writes a temporary file beside the place, with the permissions of what is there, and moves it
  /// there.
  private func put(_ data: Data, by move: (String, String) -> Int32) throws {
    let target = url
    let folder = target.deletingLastPathComponent()
    TemporaryFile.sweepOnce(folder.path)
    let temporary = try TemporaryFile(of: target.lastPathComponent, in: folder.path)
    do {
      // The permissions come before the contents, which may be for few to read.
      try temporary.adoptPermissions(of: target.path)
      try temporary.write(data)
      guard move(temporary.path, target.path) == 0 else { throw POSIXError.last }
    } catch {
      unlink(temporary.path)
      throw error
    }
  }

  /// Writes to what the path leads to, as a shell's `>` does.
  private func writeInPlace(_ data: Data) throws {
    let descriptor = open(location.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw POSIXError.last }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try handle.write(contentsOf: data)
    try handle.close()
  }
}

extension POSIXError {
  /// The error of the last call of the system.
  static var last: NSError { NSError(domain: NSPOSIXErrorDomain, code: Int(errno)) }
}
