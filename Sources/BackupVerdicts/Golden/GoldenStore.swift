import BackupContainer
package import BackupDiagnostics
import Foundation

/// A folder of golden files.
package struct GoldenStore: Sendable {
  package let folder: String

  /// The folder that must contain the golden folder: the parent of the scenario folder. Nil if the
  /// user chose the golden folder.
  private let requiredParent: String?

  /// The folder in which new texts wait for a review; nil if they wait beside the golden files.
  var separateNewTextFolder: NewTextFolder?

  static let suffix = ".golden"

  /// The name of the golden folder beside a scenario folder with the usual name.
  static let usualName = "Golden"

  /// Creates a store for a golden folder, which need not exist.
  package init(folder: String) {
    self.folder = folder.withoutEndingSlash
    self.requiredParent = nil
  }

  /// Creates a store for the golden folder beside a scenario folder.
  ///
  /// The golden folder of `Tests/Scenarios` is `Tests/Golden`. A scenario folder that is not named
  /// `Scenarios` has its own golden folder: `Tests/Sync` has `Tests/Golden-Sync`.
  package init(besideScenarios folder: String) {
    let parts = folder.withoutEndingSlash.split(separator: "/", omittingEmptySubsequences: false)
    let isDotPath = ["", ".", ".."].contains(parts.last)
    let name =
      isDotPath ? Self.nameOnDisk(of: folder) : parts.last.map(String.init) ?? ""
    let parentParts = isDotPath ? parts + [".."] : parts.dropLast()
    let parent = parentParts.map { "\($0)/" }.joined()
    let hasUsualName = [ScenarioFolder.usualName, "/"].contains(name)
    self.folder = parent + (hasUsualName ? Self.usualName : "\(Self.usualName)-\(name)")
    self.requiredParent = parent.isEmpty ? "." : parent
  }

  /// Returns the name of a folder whose path ends in `.` or `..`, or is `/`.
  private static func nameOnDisk(of folder: String) -> String {
    let path = FileManager.default.currentDirectoryPath + "/" + folder
    return URL(fileURLWithPath: folder.hasPrefix("/") ? folder : path).standardizedFileURL
      .lastPathComponent
  }

  /// Throws an error if the golden folder exists, but is not a folder.
  package func requireFolder() throws(RunError) { try Self.requireFolder(folder) }

  static func requireFolder(_ folder: String) throws(RunError) {
    guard let kind = FileKind(at: folder, followingLinks: true), kind != .folder else { return }
    throw RunError(
      .unreadable,
      "\(folder): the folder of golden files cannot be read, because this is \(kind.inWords)")
  }

  /// Throws an error if the golden folder is a link that leads out of the scenario folder's parent.
  ///
  /// The scenarios may be from an untrusted source. Therefore, the kit does not read or write files
  /// to which their links lead. A golden folder that the user chose may be any link.
  package func requireEnclosed(_ folder: String, orThrow code: RunError.Code) throws(RunError) {
    guard let requiredParent else { return }
    let name = folder.split(separator: "/").last.map(String.init) ?? folder
    do throws(LinkError) {
      _ = try TextFile.resolvedPath(of: name, in: requiredParent)
    } catch {
      throw RunError(
        code,
        "\(folder): this link \(error.reason), but golden files must be beside their scenarios; "
          + "replace the link by the folder itself, or name the folder with --golden on the "
          + "command line or goldenFolder in a test")
    }
  }

  /// Returns the path of a scenario's golden file, whether or not it exists.
  package func path(of id: String) -> String { "\(folder)/\(id)\(Self.suffix)" }

  /// Returns the text of a scenario's golden file; nil if it does not exist.
  package func text(of id: String) throws(RunError) -> String? {
    try text(
      at: path(of: id), resolvedPath: resolvedPath(of: "\(id)\(Self.suffix)", orThrow: .unreadable))
  }

  /// Returns the text of a golden file, converted to the present format; nil if the file does not
  /// exist.
  ///
  /// The second path has all links resolved; `path` is for messages.
  package func text(at path: String, resolvedPath: String) throws(RunError) -> String? {
    try rawText(at: path, resolvedPath: resolvedPath).map(FormerNotation.rewriting)
  }

  /// Returns the text as it is in the file; nil if the file does not exist.
  func rawText(at path: String, resolvedPath: String) throws(RunError) -> String? {
    TemporaryFile.sweepOnce(URL(fileURLWithPath: resolvedPath).deletingLastPathComponent().path)
    let bytes: [UInt8]
    do throws(RegularFile.AccessError) {
      bytes = try RegularFile.bytes(
        at: resolvedPath, upTo: Self.maximumFileSize + 1, followingLinks: true)
    } catch {
      if error.isMissing { return nil }
      throw RunError(.unreadable, "\(path): the golden file cannot be read: \(error.reason)")
    }
    guard bytes.count <= Self.maximumFileSize else {
      throw RunError(
        .unreadable,
        "\(path): this is larger than \(Self.maximumFileSize.formattedSize), the most that a golden file may have"
      )
    }
    guard let text = String(validUTF8: bytes) else {
      throw RunError(
        .notGolden, "\(path): the golden file is not UTF-8; record it again")
    }
    guard !text.utf8.contains(UInt8(ascii: "\r")) else {
      throw RunError(
        .notGolden,
        "\(path): the golden file has CR line ends; convert them to LF and add '*.golden -text' "
          + "to .gitattributes, or record it again")
    }
    return text
  }

  /// The largest golden file that is read, in bytes.
  static let maximumFileSize = 200_000_000

  /// Returns the path of a file in the folder, with all links resolved. Throws an error if a link
  /// leads out of the folder.
  func resolvedPath(of name: String, orThrow code: RunError.Code) throws(RunError) -> String {
    try requireEnclosed(folder, orThrow: code)
    do throws(LinkError) {
      return try TextFile.resolvedPath(of: name, in: folder)
    } catch {
      throw RunError(
        code,
        "\(error.link): this link \(error.reason), but golden files must be in their folder; "
          + "replace the link by the file itself, or name another folder of golden files")
    }
  }

  /// Writes a scenario's golden file, completely or not at all.
  package func write(_ text: String, for id: String) throws(RunError) {
    let resolvedPath = try resolvedPath(of: "\(id)\(Self.suffix)", orThrow: .unwritable)
    if let kind = FileKind(at: resolvedPath, followingLinks: true), kind != .file {
      throw RunError(
        .unwritable,
        "\(path(of: id)): cannot be written, because this is \(kind.inWords), not a "
          + "file; remove it")
    }
    let file = TextFile(path: path(of: id), at: resolvedPath)
    try file.makeFolder()
    try file.write(text)
  }

  /// Returns the sorted paths of the golden files that belong to no scenario.
  ///
  /// If a scenario has no golden file, a file whose name differs only by case belongs to the
  /// scenario. On a file system that ignores case, this is the scenario's golden file.
  package func orphans(notOwnedBy ids: some Sequence<String>) throws(RunError) -> [String] {
    try requireEnclosed(folder, orThrow: .unreadable)
    let ownedNames = Set(ids.map { "\($0)\(Self.suffix)" })
    let names = try relativePaths(in: folder)
    let lowercasedMissingNames = Set(ownedNames.subtracting(names).map { $0.lowercased() })
    return names.filter { name in
      name.hasSuffix(Self.suffix) && !ownedNames.contains(name)
        && !lowercasedMissingNames.contains(name.lowercased())
    }.sorted().map { "\(folder)/\($0)" }.filter { path in
      // A folder or a link with such a name is no golden file.
      FileKind(at: path, followingLinks: false) == .file
    }
  }

  /// Returns the paths of all items in a folder, relative to it, without following links.
  package func relativePaths(in folder: String) throws(RunError) -> [String] {
    var itemPaths: [String] = []
    var prefixes = [""]
    while let prefix = prefixes.popLast() {
      let newPaths = try Self.itemNames(of: "\(folder)/\(prefix)".withoutEndingSlash)
        .map { prefix + $0 }
      itemPaths += newPaths
      prefixes += newPaths.filter { path in
        FileKind(at: "\(folder)/\(path)", followingLinks: false) == .folder
      }.map { "\($0)/" }
    }
    return itemPaths
  }

  /// Returns the names of the items in a folder; empty if the folder does not exist.
  private static func itemNames(of folder: String) throws(RunError) -> [String] {
    try requireFolder(folder)
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch CocoaError.fileReadNoSuchFile {
      return []
    } catch {
      throw RunError(
        .unreadable, "\(folder): the folder of golden files cannot be read: \(error.reason)")
    }
  }
}

/// The cases in which a run writes golden files.
@nonexhaustive
public enum RecordMode: String, CaseIterable, Hashable, Sendable {
  /// Never record; the default if `CI` is set.
  case never
  /// Record if the golden file does not exist and no finding fails the scenario; the default if
  /// `CI` is not set.
  case missing
  /// Record if the golden file does not exist or differs, and no finding fails the scenario.
  case failed
  /// Record even if a finding fails the scenario, or if the golden file would stay the same.
  case all

  /// The environment variable that names a mode.
  public static let environmentVariable = "BACKUP_TESTING_RECORD"

  /// Returns the mode that ``environmentVariable`` names, or the default.
  package static func mode(in environment: [String: String]) throws(RunError) -> RecordMode {
    guard let name = environment[environmentVariable], isSet(in: environment) else {
      return isCI(environment) ? .never : .missing
    }
    return try mode(named: name, by: environmentVariable)
  }

  /// Returns true if ``environmentVariable`` is set and not empty.
  package static func isSet(in environment: [String: String]) -> Bool {
    environment[environmentVariable]?.isEmpty == false
  }

  /// Returns the mode with a name. `origin` is the option or variable that gives the name, for
  /// errors.
  package static func mode(named name: String, by origin: String) throws(RunError) -> RecordMode {
    if let mode = RecordMode(rawValue: name) { return mode }
    let advice = NearestWord.advice(for: name, in: allCases.map(\.rawValue))
    throw RunError(.unknownRecordMode, "\(origin): unknown record mode '\(name)'; \(advice)")
  }

  /// Returns true if an environment is that of continuous integration.
  ///
  /// In such an environment, `CI` has a value other than an empty text, `0`, `false` or `no`. The
  /// case of letters does not matter.
  package static func isCI(_ environment: [String: String]) -> Bool {
    guard let value = environment["CI"]?.lowercased() else { return false }
    return !["", "0", "false", "no"].contains(value)
  }
}
