import BackupContainer
import BackupDiagnostics
import BackupFileTree
import BackupVerdicts
import CBackupProcess
import CIndexStore
import Foundation

/// A source file in an index: a file of the app, or a file of the shim in the app's module.
struct IndexedSource {
  struct Traits: OptionSet {
    let rawValue: Int

    /// The file belongs to the shim.
    static let shim = Traits(rawValue: 1)
    /// The file was changed after the compiler read it.
    static let changedSinceBuild = Traits(rawValue: 2)
  }

  /// The path, relative to the working directory or absolute.
  let file: String
  let traits: Traits
}

/// A place in a source that names a symbol.
struct IndexedOccurrence {
  struct Roles: OptionSet {
    let rawValue: Int

    static let definition = Roles(rawValue: 1)
    static let reference = Roles(rawValue: 2)
    static let call = Roles(rawValue: 4)
    static let assignment = Roles(rawValue: 8)
    static let implicit = Roles(rawValue: 16)
  }

  let roles: Roles
  let line: Int
  /// The column in bytes, from 1.
  let column: Int
  let name: String
  /// The compiler's identifier of the symbol, its Unified Symbol Resolution.
  let usr: String
  /// The USR of the function, property or type around the place; empty if there is none.
  let enclosingUSR: String
  /// The USR of the protocol requirement that the symbol meets here; empty if it meets none.
  let requirementUSR: String
}

/// Reads an index in another process of the tool, because the toolchain's library crashes if an
/// index is damaged.
///
/// The process prints texts with a NUL after each. The first text of an entry is its kind.
package enum IndexReader {
  enum Entry {
    case source(IndexedSource)
    case occurrence(IndexedOccurrence)
  }

  /// The tool's first argument in the process that reads the index. The paths of the library and of
  /// the index follow.
  package static let argument = "--read-index"

  fileprivate enum Kind: String {
    case source = "s"
    case occurrence = "o"
    /// The reason why the index cannot be read. This is the last entry.
    case obstacle = "x"
    /// The last entry of a complete index.
    case end = "e"

    var fieldCount: Int {
      switch self {
      case .source: 2
      case .occurrence: 7
      case .obstacle: 1
      case .end: 0
      }
    }
  }

  /// Reads the entries of an index for the files of the app and of the shim.
  ///
  /// - Throws: `RunError.Code.unreadable` if the index cannot be read.
  static func read(
    _ storePath: String, with libraryPath: String, _ receive: (Entry) -> Void
  ) throws(RunError) {
    let arguments: [String] = ["backup-testing", argument, libraryPath, storePath]
    let cArguments = arguments.map { strdup($0) }
    defer { cArguments.forEach { free($0) } }
    var answer = cpr_answer()
    let error = cpr_run_itself(cArguments + [nil], &answer)
    defer { free(answer.bytes) }
    guard error == 0 else {
      let reason = MachineFault.words(forFailedStart: error)
      throw RunError(
        .unreadable, "\(storePath): the process that reads the index cannot be started: \(reason)")
    }
    var texts = TextReader(
      remainingBytes: UnsafeRawBufferPointer(
        start: answer.bytes, count: answer.bytes == nil ? 0 : answer.length))
    while let kind = texts.next().flatMap(Kind.init), let fields = texts.next(kind.fieldCount) {
      switch kind {
      case .source:
        let traits = IndexedSource.Traits(rawValue: Int(fields[1]) ?? 0)
        receive(.source(IndexedSource(file: fields[0], traits: traits)))
      case .occurrence:
        let numbers = fields[..<3].map { Int($0) ?? 0 }
        receive(
          .occurrence(
            IndexedOccurrence(
              roles: IndexedOccurrence.Roles(rawValue: numbers[0]), line: numbers[1],
              column: numbers[2], name: fields[3], usr: fields[4], enclosingUSR: fields[5],
              requirementUSR: fields[6])))
      case .obstacle: throw RunError(.unreadable, "\(storePath): \(fields[0])")
      case .end: return
      }
    }
    guard answer.bytes != nil else {
      throw RunError(
        .unreadable,
        "\(storePath): the index is too large: its reader needs more than ten minutes, or prints "
          + "more than 2 GB")
    }
    let reason =
      answer.signal == 0
      ? "its reader ended before the index did" : "its reader was ended by signal \(answer.signal)"
    throw RunError(.unreadable, "\(storePath): \(damageMessage(reason))")
  }

  static func damageMessage(_ reason: String) -> String {
    "the index is damaged (\(reason)); remove it, and build again"
  }

  /// Prints an index to standard output. Returns the exit status for the process.
  package static func print(_ storePath: String, with libraryPath: String) -> Int32 {
    cis_limit()
    let printer = IndexPrinter()
    if let obstacle = printer.read(storePath, with: libraryPath) {
      printer.write(.obstacle, [obstacle])
    } else {
      printer.write(.end, [])
    }
    return printer.flush() ? 0 : 1
  }
}

/// Reads texts with a NUL after each.
private struct TextReader {
  var remainingBytes: UnsafeRawBufferPointer

  mutating func next() -> String? {
    guard let start = remainingBytes.baseAddress, let end = memchr(start, 0, remainingBytes.count)
    else {
      return nil
    }
    let count = UnsafeRawPointer(end) - start
    defer { remainingBytes = UnsafeRawBufferPointer(rebasing: remainingBytes[(count + 1)...]) }
    return String(decoding: remainingBytes[..<count], as: UTF8.self)
  }

  /// Returns the next `count` texts, or nil if fewer are left.
  mutating func next(_ count: Int) -> [String]? {
    let texts = (0..<count).compactMap { _ in next() }
    return texts.count == count ? texts : nil
  }
}

/// Reads an index and prints its entries.
private final class IndexPrinter {
  /// The working directory with a slash at its end.
  private let workingDirectory: String
  /// The time of the newest record of each file. An index may have several records of a file.
  private var newestRecordTimes: [String: Int64] = [:]
  /// The files whose entries were printed. Nil in the first reading, which only finds the newest
  /// records.
  private var printedFiles: Set<String>?
  private var hasSources = false
  private var hasDamagedText = false
  private var output: [UInt8] = []
  /// False after standard output could not be written.
  private var canWriteOutput = true
  /// The reason why a source cannot be examined, or nil if there is no such source.
  private var sourceObstacle: String?

  init() {
    let path = FileManager.default.currentDirectoryPath
    workingDirectory = path == "/" ? path : "\(path)/"
  }

  /// Reads the index twice: first to find the newest record of each file, then to print the entries
  /// of these records. Returns the reason why the index cannot be read, or nil if it was read.
  func read(_ storePath: String, with libraryPath: String) -> String? {
    if let obstacle = readStore(storePath, with: libraryPath) { return obstacle }
    printedFiles = []
    if let obstacle = readStore(storePath, with: libraryPath) { return obstacle }
    if let sourceObstacle { return sourceObstacle }
    if hasDamagedText { return IndexReader.damageMessage("a name is no text") }
    if hasSources, printedFiles?.count == newestRecordTimes.count { return nil }
    let reason =
      hasSources ? "it has changed" : "no source file of \(workingDirectory) is in the index"
    return "\(reason); build the app there, and try again"
  }

  private func readStore(_ storePath: String, with libraryPath: String) -> String? {
    var receiver = cis_receiver(
      context: Unmanaged.passUnretained(self).toOpaque(),
      begin: { Unmanaged<IndexPrinter>.fromOpaque($0).takeUnretainedValue().begin($1.pointee) },
      take: { Unmanaged<IndexPrinter>.fromOpaque($0).takeUnretainedValue().write($1.pointee) })
    guard let obstacle = cis_read(libraryPath, storePath, &receiver) else { return nil }
    defer { free(obstacle) }
    return "the index cannot be read by \(libraryPath): \(String(cString: obstacle))"
  }

  /// Returns whether to read the entries of a record. Returns false in the first reading. In the
  /// second, returns true only for the newest record of each file of the app or the shim.
  private func begin(_ source: cis_source) -> Bool {
    let folder = URL(fileURLWithPath: String(source.folder), isDirectory: true)
    let url = SourceIndex.resolvingFolderLinks(
      of: URL(fileURLWithPath: String(source.file), relativeTo: folder))
    let folders = url.path.dropFirst(workingDirectory.count).split(separator: "/").dropLast()
    let isInSkippedFolder = folders.contains {
      $0.hasPrefix(".") || $0.hasSuffix("Tests") || ["Pods", "Carthage"].contains($0)
    }
    let belongsToApp = url.path.hasPrefix(workingDirectory) && !isInSkippedFolder
    // The plugin LinuxShim puts the shim's files outside the working directory. An unreadable file
    // does not count as a file of the shim.
    let isShim = FileManager.default.isReadableFile(atPath: url.path) && CodePlace.isShim(url)
    guard belongsToApp || isShim, let changeDate = dateOfChange(url) else { return false }
    hasSources = hasSources || belongsToApp
    let file = url.path.relativeToWorkingDirectory
    guard printedFiles != nil else {
      newestRecordTimes[file] = max(source.seconds, newestRecordTimes[file] ?? 0)
      return false
    }
    guard newestRecordTimes[file] == source.seconds, printedFiles?.insert(file).inserted == true
    else { return false }
    var traits: IndexedSource.Traits = isShim ? .shim : []
    if changeDate.timeIntervalSince1970 > Double(source.seconds) + 1 {
      traits.insert(.changedSinceBuild)
    }
    write(.source, [file, "\(traits.rawValue)"])
    return true
  }

  /// Returns the date of a source's last change. Returns nil if the source does not exist any more
  /// or cannot be examined.
  private func dateOfChange(_ source: URL) -> Date? {
    do {
      return try source.resourceValues(forKeys: [.contentModificationDateKey])
        .contentModificationDate
    } catch {
      let isMissing = (error as? CocoaError)?.code == .fileReadNoSuchFile
      if !isMissing, sourceObstacle == nil {
        sourceObstacle = "\(source.path) cannot be examined: \(error.reason)"
      }
      return nil
    }
  }

  private func write(_ occurrence: cis_occurrence) {
    var roles: IndexedOccurrence.Roles = []
    if occurrence.is_definition { roles.insert(.definition) }
    if occurrence.is_reference { roles.insert(.reference) }
    if occurrence.is_call { roles.insert(.call) }
    if occurrence.is_assignment { roles.insert(.assignment) }
    if occurrence.is_implicit { roles.insert(.implicit) }
    guard !roles.isEmpty || occurrence.requirement_usr.length > 0 else { return }
    let numbers = ["\(roles.rawValue)", "\(occurrence.line)", "\(occurrence.column)"]
    let texts = [
      occurrence.name, occurrence.usr, occurrence.container_usr, occurrence.requirement_usr,
    ]
    hasDamagedText = hasDamagedText || occurrence.usr.length == 0 || texts.contains { !$0.isText }
    write(.occurrence, numbers + texts.map { String($0) })
  }

  func write(_ kind: IndexReader.Kind, _ fields: [String]) {
    for text in [kind.rawValue] + fields {
      output += text.utf8
      output.append(0)
    }
    if output.count > 1 << 16 { flush() }
  }

  /// Writes the collected output. Returns whether all output so far could be written.
  @discardableResult
  func flush() -> Bool {
    do {
      if canWriteOutput { try FileHandle.standardOutput.write(contentsOf: output) }
    } catch {
      canWriteOutput = false
    }
    output = []
    return canWriteOutput
  }
}

extension cis_text {
  fileprivate var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: start, count: length)
  }

  /// True if the text is UTF-8 without a NUL.
  fileprivate var isText: Bool {
    !bytes.contains(0) && String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes)
  }
}

extension String {
  fileprivate init(_ text: cis_text) {
    self.init(decoding: text.bytes, as: UTF8.self)
  }
}
