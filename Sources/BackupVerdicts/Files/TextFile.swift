import BackupContainer
package import BackupDiagnostics
import BackupFileTree
package import Foundation

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
  package init(path: String, at place: String) {
    self.path = path
    self.location = URL(fileURLWithPath: place).absoluteURL
  }

  /// The absolute path of the file, behind all links.
  package var place: String { url.path }

  /// Where the file is, or would be made, behind all links.
  package var url: URL {
    let url = location.resolvingSymlinksInPath()
    // Foundation stops at a link behind which nothing is. What a link in a circle is for, the system says
    // as soon as something is written there.
    guard FileKind(at: url.path, followingLinks: false) == .link,
      let place = try? Self.place(of: url.path, in: "/")
    else { return url }
    return URL(fileURLWithPath: place)
  }

  /// Whether a regular file is there, which a report can be replaced in.
  package var isThere: Bool { kind == .file }

  /// What is there behind all links; nil where nothing is.
  private var kind: FileKind? { FileKind(at: place, followingLinks: false) }

  /// Requires that no link leads out of the working directory, or for a path that is in no folder of it, out
  /// of the folder that it names: a link may be another's, as in a copy of a repository. One that leads to a
  /// device or a pipe is the user's.
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

  /// Writes a text, whole or not at all, and keeps the permissions of a file that was there; a
  /// device or a pipe gets what is written and keeps its place.
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
        try put(data) { rename($0, $1) }
      default:
        // As a shell's `>` does, to what the path leads to.
        try data.write(to: location.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC)
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

  /// Makes the folder that the file stands in, and those above, where they are not there.
  package func makeFolder() throws(RunError) {
    do {
      try location.deletingLastPathComponent().makeFolder()
    } catch {
      // What is no folder holds nothing.
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
      try data.write(to: temporary.path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC)
      guard move(temporary.path, target.path) == 0 else { throw POSIXError.last }
    } catch {
      unlink(temporary.path)
      throw error
    }
  }

  /// How many links are followed, more than any system does.
  private static let mostLinks = 64

  /// The absolute path of a file of a folder, without a link on the way; nothing need be there.
  ///
  /// The folder itself may be reached by links, which are the user's word; below it a link is followed
  /// only if it leads to a place in the folder.
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

  /// A folder's path without links, as the system has it; nil if it does not exist. Foundation's
  /// `resolvingSymlinksInPath` removes `/private` on a Mac, which the working directory's path has.
  package static func realPath(of folder: String) -> String? {
    guard let characters = realpath(folder.isEmpty ? "/" : folder, nil) else { return nil }
    defer { free(characters) }
    return String(cString: characters)
  }

  /// What stands between two names, a byte: as a character it may be one with an accent behind it.
  private static let separator = UInt8(ascii: "/")

  private static func names(in path: String) -> [String] {
    path.utf8.split(separator: separator).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The names in a path, the last one first, without those that say nothing.
  private static func components(of path: String) -> [String] {
    names(in: path).filter { $0 != "." }.reversed()
  }

  private static func parent(of path: String) -> String {
    "/\(names(in: path).dropLast().joined(separator: "/"))"
  }

  /// What a link holds; nil if the path is not a link, or can never be reached.
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
  /// Writes all to a file that is opened with these options.
  fileprivate func write(to path: String, _ options: Int32) throws {
    let file = open(path, options, 0o666)
    guard file >= 0 else { throw POSIXError.last }
    let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
    try handle.write(contentsOf: self)
    try handle.close()
  }
}

extension POSIXError {
  /// The error of the last call of the system.
  package static var last: NSError { NSError(domain: NSPOSIXErrorDomain, code: Int(errno)) }
}

/// A link that is not followed, since it leads out of a folder or in a circle.
package struct LinkEscape: Error {
  /// The first link on the way, by the folder's path as it was named.
  package let link: String
  let problem: Problem

  enum Problem {
    case circle
    case leadsOut(of: String)
    /// The system did not say where it leads, for this reason.
    case unexamined(String)
  }

  /// What is wrong with it, for the middle of a sentence.
  package var reason: String { reason(calling: nil) }

  func reason(calling folder: String?) -> String {
    switch problem {
    case .circle: "leads in a circle"
    case .leadsOut(of: let path): "leads out of \(folder ?? path)"
    case .unexamined(let reason): "cannot be examined (\(reason))"
    }
  }
}

/// A new file beside one that it is to replace.
///
/// Its name bears the process, so that what a killed one left is found and removed by the next that
/// writes or reads there.
struct TemporaryFile {
  let path: String

  /// How many names are tried where files of them are there already.
  private static let attempts = 20
  private static let swept = Locked<Set<String>>([])

  /// Makes an empty file under a name that was free, to replace the one of a name in the same
  /// folder.
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

  /// Takes on the permissions of a file, if that is there.
  func adoptPermissions(of other: String) throws {
    var status = stat()
    guard lstat(other, &status) == 0 else {
      guard errno == ENOENT else { throw POSIXError.last }
      return
    }
    guard chmod(path, status.st_mode & 0o7777) == 0 else { throw POSIXError.last }
  }

  /// Sweeps a folder, the first time that this process reads or writes in it.
  static func sweepOnce(_ folder: String) {
    guard swept.withLock({ $0.insert(folder).inserted }) else { return }
    sweep(folder)
  }

  /// Removes the temporary files in a folder whose processes have ended, and nothing else. What
  /// cannot be removed is left to the next run.
  static func sweep(_ folder: String) {
    // Whoever reads or writes there next says why the folder cannot be read.
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

// The name of a temporary file: `.`, that of the file to be replaced or its begin, `.sbt-`, and four
// numbers of base 16: the process's id, when it began, its namespace and a random one.
extension TemporaryFile {
  private static let mark = ".sbt-"
  private static let randomDigits = 16

  /// A name that no other file has, made of that of the file to be replaced; a name has at most 255
  /// bytes, and a character four.
  static func makeName(of name: String, owner: ProcessIdentity? = .own) -> String {
    let start = String(name.unicodeScalars.prefix(40))
    // The kernel's random numbers need no descriptor, without which Foundation's UUIDs are all one.
    var generator = SystemRandomNumberGenerator()
    let random = String(generator.next() as UInt64, radix: 16)
    let padded = String(repeating: "0", count: randomDigits - random.count) + random
    return ".\(start)\(mark)\(owner?.description ?? "0-0-0")-\(padded)"
  }

  /// The process that made the file of a name; nil for every name of another form.
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
