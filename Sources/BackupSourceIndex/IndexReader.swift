import BackupContainer
import BackupDiagnostics
import BackupFileTree
import BackupVerdicts
import CBackupProcess
import CIndexStore
import Foundation

/// A file in an index: one of the app's own, or one of the kit's in the app's module.
struct IndexedSource {
  struct Traits: OptionSet {
    let rawValue: Int

    /// The file is the kit's.
    static let shim = Traits(rawValue: 1)
    /// The file was changed after the compiler read it.
    static let changed = Traits(rawValue: 2)
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
  let usr: String
  /// The USR of the function, property or type around the place; empty if there is none.
  let enclosingUSR: String
  /// The protocol requirement that the symbol meets here; empty if it meets none.
  let requirement: String
}

/// Reads an index in another process of the tool, because the toolchain's library crashes if an index
/// is damaged.
///
/// The process prints texts, each followed by a NUL. The first text of an entry is its kind.
package enum IndexReader {
  enum Entry {
    case source(IndexedSource)
    case occurrence(IndexedOccurrence)
  }

  /// The tool's argument for this process; the library and the index follow.
  package static let argument = "--read-index"

  fileprivate enum Kind: String {
    case source = "s"
    case occurrence = "o"
    /// The reason why the index cannot be read; the last entry.
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

  /// Reads the entries for the app's own files in an index.
  ///
  /// - Throws: `RunError.Code.unreadable` if the index cannot be read.
  static func read(
    _ store: String, with library: String, _ receive: (Entry) -> Void
  ) throws(RunError) {
    let arguments: [String] = ["backup-testing", argument, library, store]
    let words = arguments.map { strdup($0) }
    defer { words.forEach { free($0) } }
    var answer = cpr_answer()
    let error = cpr_run_itself(words + [nil], &answer)
    defer { free(answer.bytes) }
    guard error == 0 else {
      let reason = MachineFault.words(forStarting: error)
      throw RunError(
        .unreadable, "\(store): the process that reads the index cannot be started: \(reason)")
    }
    var texts = TextReader(
      rest: UnsafeRawBufferPointer(
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
              requirement: fields[6])))
      case .obstacle: throw RunError(.unreadable, "\(store): \(fields[0])")
      case .end: return
      }
    }
    guard answer.bytes != nil else {
      throw RunError(
        .unreadable,
        "\(store): the index is too large: its reader needs more than ten minutes, or prints more than "
          + "2 GB")
    }
    let reason =
      answer.signal == 0
      ? "its reader ended before the index did" : "its reader was ended by signal \(answer.signal)"
    throw RunError(.unreadable, "\(store): \(damage(reason))")
  }

  static func damage(_ reason: String) -> String {
    "the index is damaged (\(reason)); remove it, and build again"
  }

  /// Prints an index in the other process, and returns the status of the process.
  package static func print(_ store: String, with library: String) -> Int32 {
    cis_limit()
    let printing = IndexPrinting()
    if let obstacle = printing.read(store, with: library) {
      printing.write(.obstacle, [obstacle])
    } else {
      printing.write(.end, [])
    }
    return printing.flush() ? 0 : 1
  }
}

/// Reads texts that are each followed by a NUL.
private struct TextReader {
  var rest: UnsafeRawBufferPointer

  mutating func next() -> String? {
    guard let start = rest.baseAddress, let end = memchr(start, 0, rest.count) else { return nil }
    let count = UnsafeRawPointer(end) - start
    defer { rest = UnsafeRawBufferPointer(rebasing: rest[(count + 1)...]) }
    return String(decoding: rest[..<count], as: UTF8.self)
  }

  /// Returns this number of texts, or nil if fewer are left.
  mutating func next(_ count: Int) -> [String]? {
    let texts = (0..<count).compactMap { _ in next() }
    return texts.count == count ? texts : nil
  }
}

/// Reads an index and prints its entries.
private final class IndexPrinting {
  private let root: String
  /// The time when the compiler last read each file; an index may have several records of a file.
  private var newest: [String: Int64] = [:]
  private var files: Set<String>?
  private var hasSources = false
  private var isDamaged = false
  private var output: [UInt8] = []
  private var isOpen = true
  /// The reason why a source cannot be examined; nil if there is no such source.
  private var sourceObstacle: String?

  init() {
    let path = FileManager.default.currentDirectoryPath
    root = path == "/" ? path : "\(path)/"
  }

  /// Returns the reason why the index cannot be read, or nil if it was read.
  func read(_ store: String, with library: String) -> String? {
    if let obstacle = readStore(store, with: library) { return obstacle }
    files = []
    if let obstacle = readStore(store, with: library) { return obstacle }
    if let sourceObstacle { return sourceObstacle }
    if isDamaged { return IndexReader.damage("a name is no text") }
    if hasSources, files?.count == newest.count { return nil }
    let reason = hasSources ? "it has changed" : "no source file of \(root) is in the index"
    return "\(reason); build the app there, and try again"
  }

  private func readStore(_ store: String, with library: String) -> String? {
    var receiver = cis_receiver(
      context: Unmanaged.passUnretained(self).toOpaque(),
      begin: { Unmanaged<IndexPrinting>.fromOpaque($0).takeUnretainedValue().begin($1.pointee) },
      take: { Unmanaged<IndexPrinting>.fromOpaque($0).takeUnretainedValue().write($1.pointee) })
    guard let obstacle = cis_read(library, store, &receiver) else { return nil }
    defer { free(obstacle) }
    return "the index cannot be read by \(library): \(String(cString: obstacle))"
  }

  /// Returns whether to read the entries of a file: false until its newest record is known.
  private func begin(_ source: cis_source) -> Bool {
    let folder = URL(fileURLWithPath: String(source.folder), isDirectory: true)
    let url = SourceIndex.resolvingFolderLinks(
      of: URL(fileURLWithPath: String(source.file), relativeTo: folder))
    let folders = url.path.dropFirst(root.count).split(separator: "/").dropLast()
    let isForeign = folders.contains {
      $0.hasPrefix(".") || $0.hasSuffix("Tests") || ["Pods", "Carthage"].contains($0)
    }
    let isOwn = url.path.hasPrefix(root) && !isForeign
    // The plugin LinuxShim puts the kit's files elsewhere. A file that cannot be read does not
    // count as one of them.
    let isShim = FileManager.default.isReadableFile(atPath: url.path) && CodePlace.isShim(url)
    guard isOwn || isShim, let changed = dateOfChange(url) else { return false }
    hasSources = hasSources || isOwn
    let file = url.path.inWorkingDirectory
    guard files != nil else {
      newest[file] = max(source.seconds, newest[file] ?? 0)
      return false
    }
    guard newest[file] == source.seconds, files?.insert(file).inserted == true else { return false }
    var traits: IndexedSource.Traits = isShim ? .shim : []
    if changed.timeIntervalSince1970 > Double(source.seconds) + 1 { traits.insert(.changed) }
    write(.source, [file, "\(traits.rawValue)"])
    return true
  }

  /// Returns the date of a source's last change, or nil if the source is gone or cannot be
  /// examined.
  private func dateOfChange(_ source: URL) -> Date? {
    do {
      return try source.resourceValues(forKeys: [.contentModificationDateKey])
        .contentModificationDate
    } catch {
      let isGone = (error as? CocoaError)?.code == .fileReadNoSuchFile
      if !isGone, sourceObstacle == nil {
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
    isDamaged = isDamaged || occurrence.usr.length == 0 || texts.contains { !$0.isText }
    write(.occurrence, numbers + texts.map { String($0) })
  }

  func write(_ kind: IndexReader.Kind, _ fields: [String]) {
    for text in [kind.rawValue] + fields {
      output += text.utf8
      output.append(0)
    }
    if output.count > 1 << 16 { flush() }
  }

  /// Writes the collected output, and returns whether all output so far was written.
  @discardableResult
  func flush() -> Bool {
    do {
      if isOpen { try FileHandle.standardOutput.write(contentsOf: output) }
    } catch {
      isOpen = false
    }
    output = []
    return isOpen
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
