package import BackupDiagnostics
import BackupVerdicts
import CIndexStore
package import Foundation

/// What a compiler's index says of an app's own sources: where they use storage, and what calls what.
package final class SourceIndex {
  package struct Occurrence {
    package let name: String
    package let usr: String
    /// The function, property or type around it; empty if it is in no other.
    package let container: String
    let isAssignment: Bool
    package let file: String
    package let line: Int
    let column: Int
  }

  /// The places that use storage, in the order of files and lines.
  package private(set) var places: [StoragePlace] = []
  /// What the index cannot know, in sentences.
  package var notes: [String] {
    let list = changedFiles.joined(separator: ", ")
    let note = "changed after the last build, so lines may be wrong; build again: \(list)"
    return changedFiles.isEmpty ? [] : [note]
  }
  /// The files that were changed after the compiler had read them.
  private var changedFiles: [String] = []
  package private(set) var calls: [String: [Occurrence]] = [:]
  /// By file, the lines of the sources that use storage, as they are now.
  package private(set) lazy var lines = Dictionary(
    uniqueKeysWithValues: Set(places.map(\.file)).map { file in
      let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
      return (file, text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline))
    })
  /// By file, the components of paths in the strings there.
  private(set) lazy var names = lines.mapValues { lines in
    lines.enumerated().flatMap { number, line in
      let parts = line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
      let strings = parts.filter { $0.offset % 2 == 1 }.map(\.element)
      return strings.flatMap { $0.split(separator: "/") }.map { (line: number + 1, name: $0) }
    }
  }
  private var definitions: [String: Occurrence] = [:]
  /// The kit's own functions in the app's module.
  private var shims: Set<String> = []
  private var candidates: [Occurrence] = []
  /// By the requirement of a protocol, what meets it.
  private var witnesses: [String: Occurrence] = [:]
  /// Where a property is set, and the lines where the path of a URL is asked for.
  private var assignments: [Occurrence] = []
  private var pathLines: Set<String> = []

  private let root: String
  /// When the compiler read each file; an index may have several readings of one.
  private var newest: [String: Int64] = [:]
  private var files: Set<String>?
  private var file = ""
  private var isShim = false
  private var hasSources = false

  /// Reads what an index has of the files in the working directory, but not in its hidden folders, in
  /// folders whose names end in `Tests`, and in those of CocoaPods and Carthage.
  ///
  /// - Throws: `RunError.Code.unreadable` if there is no such index, or if none of these files is in it.
  package init(store: String, library: String) throws(RunError) {
    let path = FileManager.default.currentDirectoryPath
    root = path == "/" ? path : "\(path)/"
    try read(store, with: library)
    files = []
    try read(store, with: library)
    guard hasSources, files?.count == newest.count else {
      let reason = !hasSources ? "no source file of \(root) is in the index" : "it has changed"
      throw RunError(.unreadable, "\(store): \(reason); build the app there, and try again")
    }
    changedFiles.sort()
    places = storagePlaces
  }

  private func read(_ store: String, with library: String) throws(RunError) {
    var receiver = cis_receiver(
      context: Unmanaged.passUnretained(self).toOpaque(),
      begin: { Unmanaged<SourceIndex>.fromOpaque($0).takeUnretainedValue().begin($1.pointee) },
      take: { Unmanaged<SourceIndex>.fromOpaque($0).takeUnretainedValue().take($1.pointee) })
    guard let obstacle = cis_read(library, store, &receiver) else { return }
    defer { free(obstacle) }
    throw RunError(
      .unreadable,
      "\(store): the index cannot be read by \(library): \(String(cString: obstacle))")
  }

  /// Returns whether what is in a file is to be read: not before its newest reading is known.
  private func begin(_ source: cis_source) -> Bool {
    let folder = URL(fileURLWithPath: String(source.folder), isDirectory: true)
    let url = Self.place(of: URL(fileURLWithPath: String(source.file), relativeTo: folder))
    let values = try? url.resourceValues(forKeys: [.contentModificationDateKey])
    guard let changed = values?.contentModificationDate else { return false }
    let folders = url.path.dropFirst(root.count).split(separator: "/").dropLast()
    let isForeign = folders.contains {
      $0.hasPrefix(".") || $0.hasSuffix("Tests") || ["Pods", "Carthage"].contains($0)
    }
    let isOwn = url.path.hasPrefix(root) && !isForeign
    // The plugin LinuxShim has the kit's files elsewhere.
    isShim = CodePlace.isShim(url)
    guard isOwn || isShim else { return false }
    hasSources = hasSources || isOwn
    file = url.path.inWorkingDirectory
    guard files != nil else {
      newest[file] = max(source.seconds, newest[file] ?? 0)
      return false
    }
    guard newest[file] == source.seconds, files?.insert(file).inserted == true else { return false }
    if changed.timeIntervalSince1970 > Double(source.seconds) + 1 { changedFiles.append(file) }
    return true
  }

  /// Where a file is, with no link on the way; it may be one itself.
  package static func place(of file: URL) -> URL {
    let folder = file.deletingLastPathComponent().path
    return URL(fileURLWithPath: TextFile.realPath(of: folder) ?? folder, isDirectory: true)
      .appending(path: file.lastPathComponent)
  }

  private func take(_ occurrence: cis_occurrence) {
    // The kit's stand-ins for C functions have this prefix on Linux.
    let symbol = Occurrence(
      name: String(String(occurrence.name).trimmingPrefix("backup_testing_")),
      usr: String(occurrence.usr),
      container: String(occurrence.container_usr), isAssignment: occurrence.is_assignment,
      file: file, line: Int(occurrence.line), column: Int(occurrence.column))
    if occurrence.is_definition {
      if isShim { shims.insert(symbol.usr) } else { definitions[symbol.usr] = symbol }
    } else if occurrence.is_reference, !isShim {
      if StorageAPI.mayBe(symbol.name) { candidates.append(symbol) }
      if occurrence.is_call { calls[symbol.container, default: []].append(symbol) }
      if symbol.isAssignment { assignments.append(symbol) }
      if symbol.usr.contains("3URLV"), symbol.name.starts(with: #/path(\(|$)|absoluteString/#) {
        pathLines.insert("\(file):\(symbol.line)")
      }
    } else if occurrence.requirement_usr.length > 0, StorageAPI.mayBe(symbol.name) {
      witnesses[String(occurrence.requirement_usr)] = symbol
    }
  }

  /// The path of the library in the toolchain that has `swift`, whether it is there or not; nil if PATH
  /// has no `swift`.
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
      let meant = witnesses[symbol.usr] ?? symbol
      guard definitions[meant.usr] == nil else { return nil }
      let isShim = shims.contains(meant.usr)
      return StorageAPI(meant.name, usr: meant.usr, isShim: isShim).map { (symbol, $0) }
    }
    let containersWithProperty = Set(uses.filter { $0.1.isMarkProperty }.map(\.0.container))
    var places = uses.compactMap { symbol, api -> StoragePlace? in
      // A function that names the key only reads or sets what it uses as a property.
      if api.isMarkKey, containersWithProperty.contains(symbol.container) { return nil }
      let isMark =
        symbol.isAssignment
        || api.isMarkKey
          && calls[symbol.container]?.contains { $0.name.hasPrefix("setResourceValue(") } == true
      return place(api.use == .look && isMark ? .mark : api.use, api.name, at: symbol)
    }
    places += assignments.compactMap { symbol in
      // A Boolean or a number, for example whether a file exists, is no path.
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

  /// A function's name with those of the types around it.
  private func name(of usr: String, depth: Int = 0) -> String {
    guard depth < 50, let definition = definitions[usr] else { return "" }
    let outer = name(of: definition.container, depth: depth + 1)
    // An accessor has the name of its property, which is around it.
    let accessors = #/(getter|setter|willSet|didSet|_?read|_?modify):/#
    if definition.name.isEmpty || definition.name.starts(with: accessors) { return outer }
    return (outer.isEmpty ? definition.name : "\(outer).\(definition.name)").onOneLine
  }
}

extension String {
  fileprivate init(_ text: cis_text) {
    let bytes = UnsafeRawBufferPointer(start: text.start, count: text.length)
    self.init(decoding: bytes, as: UTF8.self)
  }
}
