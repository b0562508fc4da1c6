package import BackupDiagnostics
import BackupVerdicts
import CIndexStore
package import Foundation

/// A compiler's index of an app's own sources: the places that use storage, and the calls.
package final class SourceIndex {
  package struct Occurrence {
    package let name: String
    /// The compiler's identifier of the symbol, its Unified Symbol Resolution.
    package let usr: String
    /// The USR of the function, property or type around the place; empty if there is none.
    package let enclosingUSR: String
    let roles: IndexedOccurrence.Roles
    package let file: String
    package let line: Int
    let column: Int
  }

  /// The places that use storage, sorted by file and line.
  package private(set) var places: [StoragePlace] = []
  /// Sentences about changed sources, damage, and calls that are missing from the index.
  package var notes: [String] {
    let files = changedFiles.joined(separator: ", ")
    let note = "changed after the last build, so lines may be wrong; build again: \(files)"
    return (changedFiles.isEmpty ? [] : [note]) + indexCheck.notes
  }
  /// True if the index is damaged or lacks the shim's file, or if some sources cannot be read.
  package var isDoubtful: Bool {
    !indexCheck.doubtfulNames.isEmpty || indexCheck.lacksShimRecord
      || !indexCheck.unreadablePaths.isEmpty
  }
  /// The number of calls in the sources that are missing from the index.
  package var missingCallCount: Int { indexCheck.missingCalls.count }
  private var indexCheck = IndexCheck()
  /// The files that were changed after the compiler had read them.
  private var changedFiles: [String] = []
  /// The calls in each function, by the USR of the function.
  package private(set) var callsByCaller: [String: [Occurrence]] = [:]
  /// The current lines of the sources that use storage, by file.
  package private(set) lazy var linesByFile = Dictionary(
    uniqueKeysWithValues: Set(places.map(\.file)).map { file in
      // `notes` names the sources that cannot be read.
      let text = String(
        decoding: FileManager.default.contents(atPath: file) ?? Data(), as: UTF8.self)
      return (file, text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline))
    })
  /// The parts between slashes of the string literals in `linesByFile`, by file. Each part has its
  /// line.
  private(set) lazy var pathComponentsByFile = linesByFile.mapValues { lines in
    lines.enumerated().flatMap { number, line in
      let parts = line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
      let strings = parts.filter { $0.offset % 2 == 1 }.map(\.element)
      return strings.flatMap { $0.split(separator: "/") }.map { (line: number + 1, name: $0) }
    }
  }
  /// The definitions of symbols in the app's own files, by USR.
  private var definitions: [String: Occurrence] = [:]
  /// The definitions of the shim's functions in the app's module, by USR.
  private var shimDefinitions: [String: Occurrence] = [:]
  /// The references to symbols that may use storage, judged by their names.
  private var storageReferences: [Occurrence] = []
  /// The symbols that meet a requirement of a protocol, by the USR of the requirement.
  private var witnessesByRequirement: [String: Occurrence] = [:]
  /// The places that set a property.
  private var assignments: [Occurrence] = []
  /// The lines that ask for the path of a URL, each as `file:line`.
  private var pathLines: Set<String> = []

  private var currentSource: IndexedSource?

  /// Reads the part of an index about files in the working directory and about the shim's files.
  ///
  /// Leaves out hidden folders, folders whose names end in `Tests`, and the folders of CocoaPods
  /// and Carthage.
  ///
  /// - Throws: `RunError.Code.unreadable` if the index is missing or damaged, or has none of these
  ///   files.
  package init(store: String, library: String) throws(RunError) {
    try IndexReader.read(store, with: library) { entry in
      switch entry {
      case .source(let source): begin(source)
      case .occurrence(let occurrence): add(occurrence)
      }
    }
    changedFiles.sort()
    places = storagePlaces
    indexCheck.finish(definitions, shims: shimDefinitions, places)
  }

  /// Resolves the links in the path of a file's folder. The file itself may still be a link.
  package static func resolvingFolderLinks(of file: URL) -> URL {
    let folder = file.deletingLastPathComponent().path
    return URL(fileURLWithPath: TextFile.realPath(of: folder) ?? folder, isDirectory: true)
      .appending(path: file.lastPathComponent)
  }

  private func begin(_ source: IndexedSource) {
    currentSource = source
    if source.traits.contains(.changedSinceBuild) { changedFiles.append(source.file) }
    indexCheck.begin(source)
  }

  private func add(_ occurrence: IndexedOccurrence) {
    guard let source = currentSource else { return }
    let file = source.file
    let isShim = source.traits.contains(.shim)
    // On Linux, the shim's functions for C functions have the prefix `backup_testing_`.
    let symbol = Occurrence(
      name: String(occurrence.name.trimmingPrefix("backup_testing_")), usr: occurrence.usr,
      enclosingUSR: occurrence.enclosingUSR, roles: occurrence.roles,
      file: file, line: occurrence.line, column: occurrence.column)
    indexCheck.add(symbol, occurrence.roles)
    if occurrence.roles.contains(.definition) {
      if isShim { shimDefinitions[symbol.usr] = symbol } else { definitions[symbol.usr] = symbol }
    } else if occurrence.roles.contains(.reference), !isShim {
      if StorageAPI.isPossibleName(symbol.name) { storageReferences.append(symbol) }
      if occurrence.roles.contains(.call) {
        callsByCaller[symbol.enclosingUSR, default: []].append(symbol)
      }
      if symbol.roles.contains(.assignment) { assignments.append(symbol) }
      if symbol.usr.contains("3URLV"), symbol.name.starts(with: #/path(\(|$)|absoluteString/#) {
        pathLines.insert("\(file):\(symbol.line)")
      }
    } else if !occurrence.requirementUSR.isEmpty, StorageAPI.isPossibleName(symbol.name) {
      witnessesByRequirement[occurrence.requirementUSR] = symbol
    }
  }

  /// The path of libIndexStore in the toolchain of `swift`. The file need not exist. Nil if PATH
  /// has no `swift`.
  package static var indexStoreLibrary: String? {
    let output = CodeReader.output(of: "swift", ["-print-target-info"]) ?? ""
    let tokens = output.split(separator: "\"").drop { $0 != "runtimeResourcePath" }.dropFirst(2)
    guard let folder = tokens.first else { return nil }
    return folder.dropLast("swift".count) + String(cString: cis_library_name())
  }
}

extension SourceIndex {
  fileprivate var storagePlaces: [StoragePlace] {
    let apiUses = storageReferences.compactMap { symbol -> (Occurrence, StorageAPI)? in
      let target = witnessesByRequirement[symbol.usr] ?? symbol
      guard definitions[target.usr] == nil else { return nil }
      let isShim = shimDefinitions[target.usr] != nil
      return StorageAPI(target.name, usr: target.usr, isShim: isShim).map { (symbol, $0) }
    }
    let callersOfMarkProperty = Set(apiUses.filter { $0.1.isMarkProperty }.map(\.0.enclosingUSR))
    var places = apiUses.compactMap { symbol, api -> StoragePlace? in
      // A function may use `isExcludedFromBackup` and the key `isExcludedFromBackupKey`. Both count
      // as one place.
      if api.isMarkKey, callersOfMarkProperty.contains(symbol.enclosingUSR) { return nil }
      let setsMark =
        symbol.roles.contains(.assignment)
        || api.isMarkKey
          && callsByCaller[symbol.enclosingUSR]?.contains { $0.name.hasPrefix("setResourceValue(") }
            == true
      return place(api.use == .readMark && setsMark ? .mark : api.use, api.name, at: symbol)
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
      use: use, api: api, function: qualifiedName(of: symbol.enclosingUSR), file: symbol.file,
      line: symbol.line, column: symbol.column, functionID: symbol.enclosingUSR)
  }

  /// Returns the name of a function with the names of the types around it.
  private func qualifiedName(of usr: String, depth: Int = 0) -> String {
    guard depth < 50, let definition = definitions[usr] else { return "" }
    let enclosingName = qualifiedName(of: definition.enclosingUSR, depth: depth + 1)
    // An accessor, such as `getter:x`, has the name of the property that encloses it.
    let accessors = #/(getter|setter|willSet|didSet|_?read|_?modify):/#
    if definition.name.isEmpty || definition.name.starts(with: accessors) { return enclosingName }
    return (enclosingName.isEmpty ? definition.name : "\(enclosingName).\(definition.name)")
      .onOneLine
  }
}
