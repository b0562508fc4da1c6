import BackupContainer
import BackupDiagnostics
import BackupScenarios
import Foundation

/// A new file beside one that it is to replace.
///
/// Its name bears the process, so that what a killed one left is found and removed by the next that
/// writes or reads there.
struct TemporaryFile {
  let path: String

  /// How many names are tried where files of them are there already.
  private static let attempts = 20
  /// The folders that were swept by this process.
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
    let files = FileManager.default
    guard let permissions = try? files.attributesOfItem(atPath: other)[.posixPermissions] else {
      return
    }
    try files.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
  }

  func write(_ data: Data) throws {
    let file = open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC)
    guard file >= 0 else { throw POSIXError.last }
    let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
    try handle.write(contentsOf: data)
    try handle.close()
  }

  /// Sweeps a folder, the first time that this process reads or writes in it.
  static func sweepOnce(_ folder: String) {
    guard swept.withLock({ $0.insert(folder).inserted }) else { return }
    sweep(folder)
  }

  /// Removes the temporary files in a folder whose processes have ended, and nothing else. What
  /// cannot be removed is left to the next run.
  static func sweep(_ folder: String) {
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
  /// What stands between the file's name and the numbers.
  private static let mark = ".sbt-"
  /// How many digits the random number has.
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
