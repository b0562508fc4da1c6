package import BackupDiagnostics
import BackupVerdicts
import CIndexStore
package import Foundation

/// A compiler's index of an app's own sources: the places that use storage, and the calls.
package final class SourceIndex {
  package struct Occurrence {
    package let name: String
    package let usr: String
    /// The function, property or type around the place; empty if there is none.
    package let container: String
    let roles: IndexedOccurrence.Roles
    package let file: String
    package let line: Int
    let column: Int
  }

  /// The places that use storage, in the order of files and lines.
  package private(set) var places: [StoragePlace] = []
  /// Sentences about changed sources, damage, and calls that the index lacks.
  package var notes: [String] {
    let list = changedFiles.joined(separator: ", ")
    let note = "changed after the last build, so lines may be wrong; build again: \(list)"
    return (changedFiles.isEmpty ? [] : [note]) + check.notes
  }
  /// True if the index and the sources disagree or cannot be compared, though no source was
  /// changed.
  package var isDoubtful: Bool {
    !check.doubts.isEmpty || check.lacksShim || !check.unreadable.isEmpty
  }
  /// The number of calls in the sources that the index lacks.
  package var missingCallCount: Int { check.missing.count }
  private var check = IndexCheck()
  /// The files that were changed after the compiler had read them.
  private var changedFiles: [String] = []
  package private(set) var calls: [String: [Occurrence]] = [:]
  /// The current lines of the sources that use storage, by file.
  package private(set) lazy var lines = Dictionary(
    uniqueKeysWithValues: Set(places.map(\.file)).map { file in
      // A note names the sources that cannot be read (`IndexCheck.unreadable`).
      let text = String(
        decoding: FileManager.default.contents(atPath: file) ?? Data(), as: UTF8.self)
      return (file, text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline))
    })
  /// The components of paths in the strings of these sources, by file.
  private(set) lazy var names = lines.mapValues { lines in
    lines.enumerated().flatMap { number, line in
      let parts = line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
      let strings = parts.filter { $0.offset % 2 == 1 }.map(\.element)
      return strings.flatMap { $0.split(separator: "/") }.map { (line: number + 1, name: $0) }
    }
  }
  private var definitions: [String: Occurrence] = [:]
  /// The kit's own functions in the app's module.
  private var shims: [String: Occurrence] = [:]
  private var candidates: [Occurrence] = []
  /// The symbols that meet a protocol's requirement, by the requirement.
  private var witnesses: [String: Occurrence] = [:]
  /// The places that set a property, and the lines that ask for the path of a URL.
  private var assignments: [Occurrence] = []
  private var pathLines: Set<String> = []

  private var source: IndexedSource?

  /// Reads the part of an index about files in the working directory.
  ///
  /// Hidden folders, folders whose names end in `Tests`, and those of CocoaPods and Carthage are
  /// left out.
  ///
  /// - Throws: `RunError.Code.unreadable` if there is no such index, if it is damaged, or if it has
  ///   none of these files.
  package init(store: String, library: String) throws(RunError) {
    try IndexReader.read(store, with: library) { entry in
      switch entry {
      case .source(let source): begin(source)
      case .occurrence(let occurrence): add(occurrence)
      }
    }
    changedFiles.sort()
    places = storagePlaces
    check.finish(definitions, shims: shims, places)
  }

  /// Returns the place of a file, with the links in its folder resolved; the file itself may be a
  /// link.
  package static func place(of file: URL) -> URL {
    let folder = file.deletingLastPathComponent().path
    return URL(fileURLWithPath: TextFile.realPath(of: folder) ?? folder, isDirectory: true)
      .appending(path: file.lastPathComponent)
  }

  private func begin(_ source: IndexedSource) {
    self.source = source
    if source.traits.contains(.changed) { changedFiles.append(source.file) }
    check.begin(source)
  }

  private func add(_ occurrence: IndexedOccurrence) {
    guard let source else { return }
    let file = source.file
    let isShim = source.traits.contains(.shim)
    // The kit's stand-ins for C functions have this prefix on Linux.
    let symbol = Occurrence(
      name: String(occurrence.name.trimmingPrefix("backup_testing_")), usr: occurrence.usr,
      container: occurrence.container, roles: occurrence.roles,
      file: file, line: occurrence.line, column: occurrence.column)
    check.add(symbol, occurrence.roles)
    if occurrence.roles.contains(.definition) {
      if isShim { shims[symbol.usr] = symbol } else { definitions[symbol.usr] = symbol }
    } else if occurrence.roles.contains(.reference), !isShim {
      if StorageAPI.isPossible(symbol.name) { candidates.append(symbol) }
      if occurrence.roles.contains(.call) { calls[symbol.container, default: []].append(symbol) }
      if symbol.roles.contains(.assignment) { assignments.append(symbol) }
      if symbol.usr.contains("3URLV"), symbol.name.starts(with: #/path(\(|$)|absoluteString/#) {
        pathLines.insert("\(file):\(symbol.line)")
      }
    } else if !occurrence.requirement.isEmpty, StorageAPI.isPossible(symbol.name) {
      witnesses[occurrence.requirement] = symbol
    }
  }

  /// The path of the library in the toolchain that has `swift`, even if there is no such file; nil
  /// if PATH has no `swift`.
  package static var library: String? {
    let output = CodeReader.printed(by: "swift", ["-print-target-info"]) ?? ""
    let words = output.split(separator: "\"").drop { $0 != "runtimeResourcePath" }.dropFirst(2)
    guard let folder = words.first else { return nil }
    return folder.dropLast("swift".count) + String(cString: cis_library_name())
  }
}

extension SourceIndex {
  fileprivate var storagePlaces: [StoragePlace] {
    let uses = candidates.compactMap { symbol -> (Occurrence, StorageAPI)? in
      let target = witnesses[symbol.usr] ?? symbol
      guard definitions[target.usr] == nil else { return nil }
      let isShim = shims[target.usr] != nil
      return StorageAPI(target.name, usr: target.usr, isShim: isShim).map { (symbol, $0) }
    }
    let containersWithProperty = Set(uses.filter { $0.1.isMarkProperty }.map(\.0.container))
    var places = uses.compactMap { symbol, api -> StoragePlace? in
      // In a function that uses the property, the key is only part of the same read or write.
      if api.isMarkKey, containersWithProperty.contains(symbol.container) { return nil }
      let isMark =
        symbol.roles.contains(.assignment)
        || api.isMarkKey
          && calls[symbol.container]?.contains { $0.name.hasPrefix("setResourceValue(") } == true
      return place(api.use == .look && isMark ? .mark : api.use, api.name, at: symbol)
    }
    places += assignments.compactMap { symbol in
      // A Boolean or a number, for example whether a file exists, is not a path.
      guard definitions[symbol.usr] != nil, !symbol.usr.contains(#/S[bi]vp$/#),
        pathLines.contains("\(symbol.file):\(symbol.line)")
      else { return nil }
      return place(.path, symbol.name, at: symbol)
    }
    return places.sorted { ($0.file, $0.line, $0.column) < ($1.file, $1.line, $1.column) }
  }

  fileprivate func place(_ use: StorageUse, _ api: String, at symbol: Occurrence) -> StoragePlace {
    StoragePlace(
      use: use, api: api, function: name(of: symbol.container), file: symbol.file,
      line: symbol.line, column: symbol.column, functionID: symbol.container)
  }

  /// Returns the name of a function, with the names of the types around it.
  private func name(of usr: String, depth: Int = 0) -> String {
    guard depth < 50, let definition = definitions[usr] else { return "" }
    let outer = name(of: definition.container, depth: depth + 1)
    // An accessor has the name of its property, which is its container.
    let accessors = #/(getter|setter|willSet|didSet|_?read|_?modify):/#
    if definition.name.isEmpty || definition.name.starts(with: accessors) { return outer }
    return (outer.isEmpty ? definition.name : "\(outer).\(definition.name)").onOneLine
  }
}
