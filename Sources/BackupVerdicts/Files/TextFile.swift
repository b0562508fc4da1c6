import BackupContainer
package import BackupDiagnostics
import BackupFileTree
package import Foundation

/// A text file that the kit writes completely or not at all, such as a report or a golden file.
package struct TextFile: Sendable {
  package let path: String
  /// The absolute location, which stays the same if the working directory changes.
  private let location: URL

  /// Creates a value for a path; the file need not exist.
  package init(path: String) {
    self.path = path
    // Foundation would replace a leading `~` by a user's home folder. Only a shell should do this.
    self.location = URL(fileURLWithPath: path.hasPrefix("~") ? "./\(path)" : path).absoluteURL
  }

  /// Creates a value for a file. `resolvedPath` is the path of the file with all links resolved.
  package init(path: String, at resolvedPath: String) {
    self.path = path
    self.location = URL(fileURLWithPath: resolvedPath).absoluteURL
  }

  /// The absolute path of the file, with all links resolved.
  package var resolvedPath: String { url.path }

  /// The location of the file, with all links resolved. The file need not exist.
  package var url: URL {
    let url = location.resolvingSymlinksInPath()
    // Foundation does not resolve a link whose target is missing. Links in a circle stay
    // unresolved, so that the system reports them when the kit writes the file.
    guard FileKind(at: url.path, followingLinks: false) == .link,
      let resolvedPath = try? Self.resolvedPath(of: url.path, in: "/")
    else { return url }
    return URL(fileURLWithPath: resolvedPath)
  }

  /// True if the path leads to a regular file.
  package var isRegularFile: Bool { kind == .file }

  /// The kind of the item, with all links resolved; nil if it does not exist.
  private var kind: FileKind? { FileKind(at: resolvedPath, followingLinks: false) }

  /// Throws an error if a link in the path leads out of the working directory.
  ///
  /// Somebody else may have made such a link, for example in a repository that the user cloned. If
  /// the path is absolute or has `..`, a link must not lead out of the file's folder. Links to a
  /// device or a pipe are allowed.
  package func requireNoEscapingLink() throws(RunError) {
    let kind = FileKind(at: location.path, followingLinks: true)
    guard kind == nil || kind == .file else { return }
    let names = path.split(separator: "/")
    let isInside = !path.hasPrefix("/") && !names.contains("..")
    let folder = isInside ? "." : (path as NSString).deletingLastPathComponent
    do throws(LinkError) {
      _ = try Self.resolvedPath(
        of: isInside ? path : location.lastPathComponent, in: folder.isEmpty ? "." : folder)
    } catch {
      let reason = isInside ? error.reason(calling: "the working directory") : error.reason
      throw RunError(
        .unwritable, "\(path): a link in this path \(reason); name the file that it leads to")
    }
  }

  /// Writes a text to the file, completely or not at all, and keeps the file's permissions.
  ///
  /// If the path leads to a device or a pipe, writes the text into it.
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
        // Write into the device or pipe itself, as a shell's `>` does.
        try data.write(to: location.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC)
      }
    } catch let error as RunError {
      throw error
    } catch {
      throw unwritableError(error)
    }
  }

  /// Writes a text to a new file, completely or not at all. Throws an error if an item exists at
  /// the path.
  package func writeNew(_ text: String) throws(RunError) {
    do {
      UnfinishedWork.shared.begin()
      defer { UnfinishedWork.shared.end() }
      try moveIntoPlace(Data(text.utf8), by: Self.moveWithoutReplacing)
    } catch {
      throw unwritableError(error)
    }
  }

  /// Creates the file's folder, and the folders above it, if they do not exist.
  package func makeFolder() throws(RunError) {
    do {
      try location.deletingLastPathComponent().makeFolder()
    } catch {
      // The reason may be an item in the path that is no folder.
      for end in path.indices.dropFirst() where path[end] == "/" {
        let parent = String(path[..<end])
        let kind =
          FileKind(at: parent, followingLinks: true) ?? FileKind(at: parent, followingLinks: false)
        guard let kind, kind != .folder else { continue }
        throw RunError(
          .unwritable,
          "\(path): cannot be written, because '\(parent)' is \(kind.inWords), not a folder; name "
            + "another path")
      }
      throw unwritableError(error)
    }
  }

  private func unwritableError(_ error: any Error) -> RunError {
    RunError(.unwritable, "\(path): cannot be written: \(error.reason)")
  }

  /// Renames a file. Fails if an item has the new name, except on volumes without hard links.
  private static func moveWithoutReplacing(_ old: String, as new: String) -> Int32 {
    if link(old, new) == 0 { return unlink(old) }
    // Volumes without hard links return these errors.
    return [EPERM, ENOTSUP, EOPNOTSUPP].contains(errno) ? rename(old, new) : -1
  }

  /// Writes a temporary file beside the target, with the target's permissions, and moves it to the
  /// target's place.
  private func moveIntoPlace(_ data: Data, by move: (String, String) -> Int32) throws {
    let target = url
    let folder = target.deletingLastPathComponent()
    TemporaryFile.sweepOnce(folder.path)
    let temporaryFile = try TemporaryFile(of: target.lastPathComponent, in: folder.path)
    do {
      // Set the permissions before the contents, because not every user may be allowed to read the
      // contents.
      try temporaryFile.adoptPermissions(of: target.path)
      try data.write(to: temporaryFile.path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC)
      guard move(temporaryFile.path, target.path) == 0 else { throw POSIXError.last }
    } catch {
      unlink(temporaryFile.path)
      throw error
    }
  }

  /// The most links that the kit follows. Systems follow fewer.
  private static let maximumLinkCount = 64

  /// Returns the absolute path of a file in a folder, with all links resolved. The file need not
  /// exist.
  ///
  /// The folder's own path may have links, because the user wrote it. Throws an error if a link
  /// below the folder leads out of the folder.
  package static func resolvedPath(of path: String, in folder: String) throws(LinkError) -> String {
    guard let root = realPath(of: folder) else { return "\(folder)/\(path)" }
    var (currentPath, remainingNames) = (root, reversedNames(of: path))
    var (firstLink, linkCount): (String?, Int) = (nil, 0)
    while let name = remainingNames.popLast() {
      let nextPath =
        name == ".." ? parent(of: currentPath) : "\(currentPath == "/" ? "" : currentPath)/\(name)"
      guard name != "..", let target = try target(of: nextPath) else {
        currentPath = nextPath
        continue
      }
      let relativePath = String(decoding: nextPath.utf8.dropFirst(root.utf8.count), as: UTF8.self)
      firstLink = firstLink ?? "\(folder)\(relativePath)"
      linkCount += 1
      guard linkCount <= maximumLinkCount else {
        throw LinkError(link: firstLink ?? nextPath, problem: .circle)
      }
      if target.utf8.first == separator { currentPath = "/" }
      remainingNames += reversedNames(of: target)
    }
    guard root == "/" || currentPath.utf8.starts(with: "\(root)/".utf8) else {
      throw LinkError(link: firstLink ?? path, problem: .leadsOut(of: folder))
    }
    return currentPath
  }

  /// Returns a folder's path with all links resolved; nil if the folder does not exist.
  ///
  /// On a Mac, the path may begin with `/private`. Foundation's `resolvingSymlinksInPath` would
  /// remove `/private`, but the path of the working directory has this start.
  package static func realPath(of folder: String) -> String? {
    guard let characters = realpath(folder.isEmpty ? "/" : folder, nil) else { return nil }
    defer { free(characters) }
    return String(cString: characters)
  }

  /// The separator as a byte. In a string, a `/` and a combining accent are one character.
  private static let separator = UInt8(ascii: "/")

  private static func names(in path: String) -> [String] {
    path.utf8.split(separator: separator).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the names in a path, the last one first, without `.`.
  private static func reversedNames(of path: String) -> [String] {
    names(in: path).filter { $0 != "." }.reversed()
  }

  private static func parent(of path: String) -> String {
    "/\(names(in: path).dropLast().joined(separator: "/"))"
  }

  /// Returns the path that a link contains; nil if there is no link, or if the kit cannot reach it.
  private static func target(of path: String) throws(LinkError) -> String? {
    var targetBytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let byteCount = readlink(path, &targetBytes, targetBytes.count)
    guard byteCount < 0 else {
      return String(
        decoding: targetBytes[..<byteCount].map(UInt8.init(truncatingIfNeeded:)), as: UTF8.self)
    }
    switch errno {
    case EINVAL, ENOENT, ENOTDIR, EACCES, ENAMETOOLONG: return nil
    default:
      throw LinkError(link: path, problem: .unexamined(MachineFault.words(for: errno)))
    }
  }
}

extension Data {
  /// Writes all data to a file, which it opens with flags for `open`.
  fileprivate func write(to path: String, _ openFlags: Int32) throws {
    let descriptor = open(path, openFlags, 0o666)
    guard descriptor >= 0 else { throw POSIXError.last }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try handle.write(contentsOf: self)
    try handle.close()
  }
}

extension POSIXError {
  /// The error of the last system call.
  package static var last: NSError { NSError(domain: NSPOSIXErrorDomain, code: Int(errno)) }
}

/// The error for a path with a link that the kit does not follow.
package struct LinkError: Error {
  /// The path of the first link. The path begins with the folder's path as the user wrote it, or is
  /// absolute if the link could not be read.
  package let link: String
  let problem: Problem

  enum Problem {
    case circle
    case leadsOut(of: String)
    /// The system could not read the link, for this reason.
    case unexamined(String)
  }

  /// The problem as the end of a sentence about the link, such as `leads in a circle`.
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
/// The name contains the identity of the process that creates the file. If this process is killed,
/// the next process that reads or writes in the folder removes the file.
struct TemporaryFile {
  let path: String

  /// The most names that are tried, if files with these names already exist.
  private static let maximumAttempts = 20
  private static let sweptFolders = Locked<Set<String>>([])

  /// Creates an empty file that will replace the file `name` in the same folder.
  init(of name: String, in folder: String) throws {
    for _ in 0..<Self.maximumAttempts {
      let path = "\(folder)/\(Self.makeName(of: name))"
      let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
      guard descriptor < 0 else {
        close(descriptor)
        self.path = path
        return
      }
      guard errno == EEXIST else { throw POSIXError.last }
    }
    throw NSError(domain: NSPOSIXErrorDomain, code: Int(EEXIST))
  }

  /// Copies the permissions of a file, if it exists.
  func adoptPermissions(of otherPath: String) throws {
    var status = stat()
    guard lstat(otherPath, &status) == 0 else {
      guard errno == ENOENT else { throw POSIXError.last }
      return
    }
    guard chmod(path, status.st_mode & 0o7777) == 0 else { throw POSIXError.last }
  }

  /// Calls ``sweep(_:)`` the first time that this process reads or writes in a folder.
  static func sweepOnce(_ folder: String) {
    guard sweptFolders.withLock({ $0.insert(folder).inserted }) else { return }
    sweep(folder)
  }

  /// Removes the temporary files that ended processes have left in a folder. Ignores errors.
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

// A temporary file for `a.golden` has a name like `.a.golden.sbt-1f-2e-3d-0123456789abcdef`. The
// hexadecimal numbers are the process's id, start time and namespace, and a random number.
extension TemporaryFile {
  private static let marker = ".sbt-"
  private static let randomDigitCount = 16

  /// Returns a new name for a temporary file that will replace the file `name`.
  static func makeName(of name: String, owner: ProcessIdentity? = .own) -> String {
    // A file name has at most 255 bytes, and a Unicode scalar has at most four.
    let start = String(name.unicodeScalars.prefix(40))
    // If no file descriptor is free, Foundation's UUIDs are all equal. The kernel's random numbers
    // need no descriptor.
    var generator = SystemRandomNumberGenerator()
    let randomHex = String(generator.next() as UInt64, radix: 16)
    let paddedHex = String(repeating: "0", count: randomDigitCount - randomHex.count) + randomHex
    return ".\(start)\(marker)\(owner?.description ?? "0-0-0")-\(paddedHex)"
  }

  /// Returns the process that created the temporary file `name`; nil for any other file's name.
  static func owner(ofName name: String) -> ProcessIdentity? {
    guard name.hasPrefix("."), let markerRange = name.range(of: marker, options: .backwards),
      markerRange.lowerBound > name.index(after: name.startIndex)
    else { return nil }
    let numbers = name[markerRange.upperBound...].split(
      separator: "-", omittingEmptySubsequences: false)
    guard numbers.count == 4, numbers[3].utf8.count == randomDigitCount,
      numbers[3].allSatisfy({ $0.isHexDigit && !$0.isUppercase })
    else { return nil }
    return ProcessIdentity(numbers.prefix(3).joined(separator: "-"))
  }
}
