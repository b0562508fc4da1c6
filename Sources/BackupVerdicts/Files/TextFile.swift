import BackupContainer
package import BackupDiagnostics
import BackupFileTree
package import Foundation

/// A text file that is written whole or not at all, such as a report or a golden file.
package struct TextFile: Sendable {
  package let path: String
  /// The absolute location, which does not depend on later working directories.
  private let location: URL

  /// Creates a value for a path; the file need not exist.
  package init(path: String) {
    self.path = path
    // Foundation expands a leading '~' to a user's home, which is the shell's business.
    self.location = URL(fileURLWithPath: path.hasPrefix("~") ? "./\(path)" : path).absoluteURL
  }

  /// Creates a value for a file whose place, without links, is known.
  package init(path: String, at place: String) {
    self.path = path
    self.location = URL(fileURLWithPath: place).absoluteURL
  }

  /// The absolute path of the file, behind all links.
  package var resolvedPath: String { url.path }

  /// The location of the file behind all links, whether or not it exists.
  package var url: URL {
    let url = location.resolvingSymlinksInPath()
    // Foundation stops at a link to nothing. Links in a circle stay, so the system reports them on writing.
    guard FileKind(at: url.path, followingLinks: false) == .link,
      let place = try? Self.place(of: url.path, in: "/")
    else { return url }
    return URL(fileURLWithPath: place)
  }

  /// True if a regular file is there.
  package var isThere: Bool { kind == .file }

  /// The kind of item behind all links; nil if nothing is there.
  private var kind: FileKind? { FileKind(at: resolvedPath, followingLinks: false) }

  /// Refuses links that lead out of the working directory: they may be another's, as in a copy of a repository.
  ///
  /// For an absolute path, or one with `..`, a link may not lead out of the file's folder. Links to a device or
  /// a pipe are allowed.
  package func requireNoEscape() throws(RunError) {
    let kind = FileKind(at: location.path, followingLinks: true)
    guard kind == nil || kind == .file else { return }
    let names = path.split(separator: "/")
    let isBelow = !path.hasPrefix("/") && !names.contains("..")
    let folder = isBelow ? "." : (path as NSString).deletingLastPathComponent
    do throws(LinkEscape) {
      _ = try Self.place(
        of: isBelow ? path : location.lastPathComponent, in: folder.isEmpty ? "." : folder)
    } catch {
      let reason = isBelow ? error.reason(calling: "the working directory") : error.reason
      throw RunError(
        .unwritable, "\(path): a link in this path \(reason); name the file that it leads to")
    }
  }

  /// Writes a text, whole or not at all, and keeps the permissions of the file that it replaces.
  ///
  /// A device or a pipe is not replaced, but written to.
  package func write(_ text: String) throws(RunError) {
    let data = Data(text.utf8)
    do {
      switch kind {
      case _ where path.hasSuffix("/"), .folder?:
        throw RunError(
          .unwritable, "\(path): cannot be written, because this is a folder; name a file")
      case .file?,
        nil where !FileManager.default.fileExists(atPath: location.path):
        UnfinishedWork.shared.begin()
        defer { UnfinishedWork.shared.end() }
        try moveIntoPlace(data) { rename($0, $1) }
      default:
        // A shell's `>` also writes to the target of the path.
        try data.write(to: location.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC)
      }
    } catch let error as RunError {
      throw error
    } catch {
      throw unwritable(error)
    }
  }

  /// Writes a text to a new file, whole or not at all; it is an error if an item is there.
  package func writeNew(_ text: String) throws(RunError) {
    do {
      UnfinishedWork.shared.begin()
      defer { UnfinishedWork.shared.end() }
      try moveIntoPlace(Data(text.utf8), by: Self.moveWithoutReplacing)
    } catch {
      throw unwritable(error)
    }
  }

  /// Creates the file's folder, and the folders above it, if they do not exist.
  package func makeFolder() throws(RunError) {
    do {
      try location.deletingLastPathComponent().makeFolder()
    } catch {
      // An item above that is no folder may be the reason.
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
      throw unwritable(error)
    }
  }

  private func unwritable(_ error: any Error) -> RunError {
    RunError(.unwritable, "\(path): cannot be written: \(error.reason)")
  }

  /// Renames a file; fails if the new name is taken, as far as the volume can tell.
  private static func moveWithoutReplacing(_ old: String, as new: String) -> Int32 {
    if link(old, new) == 0 { return unlink(old) }
    // Volumes without hard links return these errors.
    return [EPERM, ENOTSUP, EOPNOTSUPP].contains(errno) ? rename(old, new) : -1
  }

  /// Writes a temporary file beside the place, with the permissions of the item there, and moves it there.
  private func moveIntoPlace(_ data: Data, by move: (String, String) -> Int32) throws {
    let target = url
    let folder = target.deletingLastPathComponent()
    TemporaryFile.sweepOnce(folder.path)
    let temporary = try TemporaryFile(of: target.lastPathComponent, in: folder.path)
    do {
      // The permissions come before the contents, which only few users may be allowed to read.
      try temporary.adoptPermissions(of: target.path)
      try data.write(to: temporary.path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC)
      guard move(temporary.path, target.path) == 0 else { throw POSIXError.last }
    } catch {
      unlink(temporary.path)
      throw error
    }
  }

  /// The most links that are followed, which is more than any system follows.
  private static let mostLinks = 64

  /// Returns the absolute path, without links, of a file in a folder; the file need not exist.
  ///
  /// The path of the folder itself may have links, because the user has named it. Below the folder, a link
  /// must lead to a place in the folder.
  package static func place(of path: String, in folder: String) throws(LinkEscape) -> String {
    guard let root = realPath(of: folder) else { return "\(folder)/\(path)" }
    var (place, rest) = (root, components(of: path))
    var (link, count): (String?, Int) = (nil, 0)
    while let name = rest.popLast() {
      let next = name == ".." ? parent(of: place) : "\(place == "/" ? "" : place)/\(name)"
      guard name != "..", let target = try target(of: next) else {
        place = next
        continue
      }
      let below = String(decoding: next.utf8.dropFirst(root.utf8.count), as: UTF8.self)
      link = link ?? "\(folder)\(below)"
      count += 1
      guard count <= mostLinks else {
        throw LinkEscape(link: link ?? next, problem: .circle)
      }
      if target.utf8.first == separator { place = "/" }
      rest += components(of: target)
    }
    guard root == "/" || place.utf8.starts(with: "\(root)/".utf8) else {
      throw LinkEscape(link: link ?? path, problem: .leadsOut(of: folder))
    }
    return place
  }

  /// Returns a folder's path without links; nil if it does not exist.
  ///
  /// Foundation's `resolvingSymlinksInPath` would remove `/private`, which the working directory has on a Mac.
  package static func realPath(of folder: String) -> String? {
    guard let characters = realpath(folder.isEmpty ? "/" : folder, nil) else { return nil }
    defer { free(characters) }
    return String(cString: characters)
  }

  /// The separator as a byte, because a `/` with an accent behind it is another character.
  private static let separator = UInt8(ascii: "/")

  private static func names(in path: String) -> [String] {
    path.utf8.split(separator: separator).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the names in a path without `.`, the last one first.
  private static func components(of path: String) -> [String] {
    names(in: path).filter { $0 != "." }.reversed()
  }

  private static func parent(of path: String) -> String {
    "/\(names(in: path).dropLast().joined(separator: "/"))"
  }

  /// Returns the contents of a link; nil if the path is no link, or can never be reached.
  private static func target(of path: String) throws(LinkEscape) -> String? {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &target, target.count)
    guard count < 0 else {
      return String(decoding: target[..<count].map(UInt8.init(truncatingIfNeeded:)), as: UTF8.self)
    }
    switch errno {
    case EINVAL, ENOENT, ENOTDIR, EACCES, ENAMETOOLONG: return nil
    default:
      throw LinkEscape(link: path, problem: .unexamined(MachineFault.words(for: errno)))
    }
  }
}

extension Data {
  /// Writes all data to a file that is opened with some options.
  fileprivate func write(to path: String, _ options: Int32) throws {
    let file = open(path, options, 0o666)
    guard file >= 0 else { throw POSIXError.last }
    let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
    try handle.write(contentsOf: self)
    try handle.close()
  }
}

extension POSIXError {
  /// The error of the last system call.
  package static var last: NSError { NSError(domain: NSPOSIXErrorDomain, code: Int(errno)) }
}

/// A link that the kit does not follow.
package struct LinkEscape: Error {
  /// The path of the first link on the way, beginning with the folder as it was named.
  package let link: String
  let problem: Problem

  enum Problem {
    case circle
    case leadsOut(of: String)
    /// The system could not read the link, for this reason.
    case unexamined(String)
  }

  /// The problem, for the middle of a sentence.
  package var reason: String { reason(calling: nil) }

  func reason(calling folder: String?) -> String {
    switch problem {
    case .circle: "leads in a circle"
    case .leadsOut(of: let path): "leads out of \(folder ?? path)"
    case .unexamined(let reason): "cannot be examined (\(reason))"
    }
  }
}

/// A new file beside the file that it will replace.
///
/// Its name has the identity of its process. If the process is killed, the next process that reads or writes
/// in the folder removes the file.
struct TemporaryFile {
  let path: String

  /// The most names that are tried if files have them already.
  private static let attempts = 20
  private static let sweptFolders = Locked<Set<String>>([])

  /// Creates an empty file, which will replace the file of a name in the same folder.
  init(of name: String, in folder: String) throws {
    for _ in 0..<Self.attempts {
      let path = "\(folder)/\(Self.makeName(of: name))"
      let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
      guard file < 0 else {
        close(file)
        self.path = path
        return
      }
      guard errno == EEXIST else { throw POSIXError.last }
    }
    throw NSError(domain: NSPOSIXErrorDomain, code: Int(EEXIST))
  }

  /// Copies the permissions of a file, if it exists.
  func adoptPermissions(of other: String) throws {
    var status = stat()
    guard lstat(other, &status) == 0 else {
      guard errno == ENOENT else { throw POSIXError.last }
      return
    }
    guard chmod(path, status.st_mode & 0o7777) == 0 else { throw POSIXError.last }
  }

  /// Sweeps a folder when this process first reads or writes in it.
  static func sweepOnce(_ folder: String) {
    guard sweptFolders.withLock({ $0.insert(folder).inserted }) else { return }
    sweep(folder)
  }

  /// Removes the temporary files in a folder whose processes have ended, as far as they can be removed.
  static func sweep(_ folder: String) {
    // If the folder cannot be read, the caller's next access reports the error.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names {
      let path = "\(folder)/\(name)"
      guard owner(ofName: name)?.hasEnded == true,
        FileKind(at: path, followingLinks: false) == .file
      else { continue }
      unlink(path)
    }
  }
}

// The name of a temporary file: `.`, the name of the replaced file or its start, `.sbt-`, and four
// hexadecimal numbers: the process's id, start time and namespace, and a random number.
extension TemporaryFile {
  private static let mark = ".sbt-"
  private static let randomDigits = 16

  /// Returns a new name for a temporary file that will replace a file.
  static func makeName(of name: String, owner: ProcessIdentity? = .own) -> String {
    // A name has at most 255 bytes, and a scalar at most four.
    let start = String(name.unicodeScalars.prefix(40))
    // Without a free descriptor, Foundation's UUIDs are all equal. The kernel's random numbers need none.
    var generator = SystemRandomNumberGenerator()
    let random = String(generator.next() as UInt64, radix: 16)
    let padded = String(repeating: "0", count: randomDigits - random.count) + random
    return ".\(start)\(mark)\(owner?.description ?? "0-0-0")-\(padded)"
  }

  /// Returns the process that created the temporary file of a name; nil for any other name.
  static func owner(ofName name: String) -> ProcessIdentity? {
    guard name.hasPrefix("."), let mark = name.range(of: mark, options: .backwards),
      mark.lowerBound > name.index(after: name.startIndex)
    else { return nil }
    let words = name[mark.upperBound...].split(separator: "-", omittingEmptySubsequences: false)
    guard words.count == 4, words[3].utf8.count == randomDigits,
      words[3].allSatisfy({ $0.isHexDigit && !$0.isUppercase })
    else { return nil }
    return ProcessIdentity(words.prefix(3).joined(separator: "-"))
  }
}
