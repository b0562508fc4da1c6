import BackupDiagnostics
import BackupVerdicts
import Foundation

/// Compares a compiler's index with the app's sources to find damage in the index.
///
/// An index has a *record* for each source file, which lists the names in the file. In a damaged
/// index, names, places and identifiers may be wrong.
struct IndexCheck {
  /// A name in the index or a source.
  struct LocatedName {
    let name: String
    let file: String
    let line: Int
  }

  /// The names in the index that are probably damaged, for example because the source has another
  /// name at their place.
  private(set) var doubtfulNames: [LocatedName] = []
  /// The calls in the sources that are missing from the index.
  private(set) var missingCalls: [LocatedName] = []
  /// True if the shim's file has no record in the index, although other files in its folder have
  /// one.
  private(set) var lacksShimRecord = false

  /// The Swift files in the index, without the shim's files.
  private var indexedFiles: Set<String> = []
  /// Files with calls that use storage, but without a record in the index. Other files in the same
  /// folders have a record.
  private var filesWithoutRecord: [String] = []
  /// The shim's files in the index.
  private var shimFiles: Set<String> = []
  /// The sources and the folders of sources that cannot be read.
  private(set) var unreadablePaths: [String] = []
  private var currentFile = ""
  /// The lines of the current file, or nil if they cannot be compared.
  private var currentLines: [ArraySlice<UInt8>]?
  /// The names in the current file that the index must list, but has not listed so far.
  private var pendingMentions: [SourceMention.Place: SourceMention] = [:]
  /// The symbols that differ in one character from a function that uses storage.
  private var nearMisses: [SourceIndex.Occurrence] = []
  /// The first reference to each symbol, by the symbol's identifier.
  private var firstReferences: [String: SourceIndex.Occurrence] = [:]

  /// Begins to compare the entries of a file.
  mutating func begin(_ source: IndexedSource) {
    finishFile()
    currentFile = source.file
    // The index may also contain other packages, whose files are outside the working directory.
    guard currentFile.hasSuffix(".swift"), !currentFile.hasPrefix("/") else { return }
    guard !source.traits.contains(.shim) else {
      shimFiles.insert(currentFile)
      return
    }
    indexedFiles.insert(currentFile)
    guard !source.traits.contains(.changedSinceBuild), let bytes = readBytes(of: currentFile) else {
      return
    }
    currentLines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    pendingMentions = SourceMention.all(in: bytes)
  }

  private mutating func readBytes(of file: String) -> [UInt8]? {
    let contents = FileManager.default.contents(atPath: file)
    if contents == nil { unreadablePaths.append(file) }
    return contents.map(Array.init)
  }

  private mutating func finishFile() {
    addMissing(pendingMentions, of: currentFile)
    pendingMentions = [:]
    currentLines = nil
  }

  /// Adds to `missingCalls` each mention that is a call of a function that uses storage. Returns
  /// the number of these calls.
  @discardableResult
  private mutating func addMissing(
    _ mentions: [SourceMention.Place: SourceMention], of file: String
  ) -> Int {
    let calls = mentions.filter { StorageAPI.isListed($0.value) }
    missingCalls += calls.map { LocatedName(name: $0.value.name, file: file, line: $0.key.line) }
    return calls.count
  }

  /// Compares an entry of the current file with the source.
  mutating func add(_ symbol: SourceIndex.Occurrence, _ roles: IndexedOccurrence.Roles) {
    guard let currentLines, !roles.contains(.implicit),
      !roles.isDisjoint(with: [.definition, .reference])
    else { return }
    let name = symbol.name.prefix { $0 != "(" }
    if symbol.isTruncated { addDoubt(symbol) }
    if name.mustBeInSource(forUSR: symbol.usr, roles) {
      let isPlaceInFile = currentLines.indices.contains(symbol.line - 1) && symbol.column > 0
      let textAtPlace =
        isPlaceInFile ? currentLines[symbol.line - 1].dropFirst(symbol.column - 1) : []
      let nameAtPlace =
        textAtPlace.first == UInt8(ascii: "`") ? textAtPlace.dropFirst() : textAtPlace
      if !nameAtPlace.starts(with: name.utf8) { addDoubt(symbol) }
    }
    guard roles.contains(.reference) else { return }
    let place = SourceMention.Place(line: symbol.line, column: symbol.column)
    if pendingMentions[place]?.name == String(name) { pendingMentions[place] = nil }
    guard firstReferences.updateValue(symbol, forKey: symbol.usr) == nil else { return }
    if StorageAPI.isNearMiss(symbol.name, usr: symbol.usr) { nearMisses.append(symbol) }
  }

  private mutating func addDoubt(_ symbol: SourceIndex.Occurrence) {
    doubtfulNames.append(LocatedName(name: symbol.name, file: symbol.file, line: symbol.line))
  }

  /// Finds the damage that shows only after all files were compared.
  mutating func finish(
    _ definitions: [String: SourceIndex.Occurrence], shims: [String: SourceIndex.Occurrence],
    _ places: [StoragePlace]
  ) {
    finishFile()
    // An intact index defines each function or type that encloses a symbol in a Swift file. It may
    // lack the definition of an Objective-C category, so only Swift files are checked.
    func isUndefined(_ usr: String, in file: String) -> Bool {
      !usr.isEmpty && definitions[usr] == nil && indexedFiles.contains(file)
    }
    for symbol in definitions.values where isUndefined(symbol.enclosingUSR, in: symbol.file) {
      addDoubt(symbol)
    }
    for place in places where isUndefined(place.functionID, in: place.file) {
      doubtfulNames.append(LocatedName(name: place.api, file: place.file, line: place.line))
    }
    for symbol in nearMisses where definitions[symbol.usr] == nil { addDoubt(symbol) }
    // A reference with the name of a shim's function, and nearly its identifier, is a damaged
    // reference to that function.
    let shimsByName = Dictionary(grouping: shims.values) { $0.name }
    for (usr, symbol) in firstReferences where definitions[usr] == nil && shims[usr] == nil {
      let shimsWithSameName =
        symbol.name.hasPrefix("init(") ? [] : shimsByName[symbol.name, default: []]
      if shimsWithSameName.contains(where: { usr.isNearMiss(of: $0.usr) }) { addDoubt(symbol) }
    }
    addFilesWithoutRecord()
    doubtfulNames.sort { ($0.file, $0.line, $0.name) < ($1.file, $1.line, $1.name) }
    missingCalls.sort { ($0.file, $0.line, $0.name) < ($1.file, $1.line, $1.name) }
  }

  /// Finds files with calls that use storage, but without a record in the index. If one Swift file
  /// of a folder has a record, all should, because they usually belong to one target.
  private mutating func addFilesWithoutRecord() {
    let files = indexedFiles.union(shimFiles)
    for folder in Set(files.map { ($0 as NSString).deletingLastPathComponent }) {
      let path = folder.isEmpty ? "." : folder
      let fileNames = try? FileManager.default.contentsOfDirectory(atPath: path)
      if fileNames == nil { unreadablePaths.append(path) }
      for name in fileNames ?? [] where name.hasSuffix(".swift") && name != "Package.swift" {
        let file = folder.isEmpty ? name : "\(folder)/\(name)"
        guard !files.contains(file), let bytes = readBytes(of: file) else { continue }
        guard !CodePlace.isShim(URL(fileURLWithPath: file)) else {
          lacksShimRecord = true
          continue
        }
        if addMissing(SourceMention.all(in: bytes), of: file) > 0 {
          filesWithoutRecord.append(file)
        }
      }
    }
    filesWithoutRecord.sort()
    unreadablePaths.sort()
  }

  /// Sentences about the damage, and about the calls that are missing from the index.
  var notes: [String] {
    var notes: [String] = []
    if lacksShimRecord {
      notes.append(
        "the index lacks the shim's file, so calls of the shim may be missing; build again")
    }
    if !unreadablePaths.isEmpty {
      notes.append(
        "the index was not compared with unreadable items: "
          + unreadablePaths.joined(separator: ", "))
    }
    if !filesWithoutRecord.isEmpty {
      notes.append(
        "the index lacks \(filesWithoutRecord.count.counted("file")) with calls that use storage: "
          + "\(filesWithoutRecord.joined(separator: ", ")); build again, or move files of no "
          + "target to another folder")
    }
    if let first = missingCalls.first {
      notes.append(
        "the index lacks \(missingCalls.count.counted("call")) of the sources, such as '\(first.name)' at "
          + "\(first.file):\(first.line), so it may be damaged; remove it, and build again")
    }
    if let first = doubtfulNames.first {
      notes.append(
        "the index is damaged: it has \(doubtfulNames.count.counted("name")) that the sources do not have, such "
          + "as '\(first.name)' at \(first.file):\(first.line); remove it, and build again")
    }
    return notes
  }
}

extension String {
  /// Returns whether both strings have the same length and differ in exactly one byte.
  func isNearMiss(of other: String) -> Bool {
    utf8.count == other.utf8.count && hasNearPrefix(other)
  }

  /// Returns whether the string begins with the bytes of `prefix`, except that exactly one byte
  /// differs.
  func hasNearPrefix(_ prefix: String) -> Bool {
    var differingByteCount = 0
    var bytes = utf8.makeIterator()
    for expectedByte in prefix.utf8 {
      guard let byte = bytes.next() else { return false }
      if byte != expectedByte { differingByteCount += 1 }
      if differingByteCount > 1 { return false }
    }
    return differingByteCount == 1
  }
}

extension SourceIndex.Occurrence {
  /// True if the name is incomplete. In Swift, only some accessors have no name.
  fileprivate var isTruncated: Bool {
    name.isEmpty && usr.firstMatch(of: #/[vi][a-zA-Z]Z?$/#) == nil
      || name.contains("(") && !name.hasSuffix(")")
  }
}

extension Substring {
  /// Returns whether the source must have this name at the symbol's place. An accessor or an
  /// initializer has another name there, and a use of a type may have another name.
  fileprivate func mustBeInSource(forUSR usr: String, _ roles: IndexedOccurrence.Roles) -> Bool {
    guard let first = unicodeScalars.first, self != "_" else { return false }
    if first.properties.isUppercase, !roles.contains(.definition) || usr.hasPrefix("s:e:") {
      return false
    }
    let exemptNames: Set<Substring> = ["init", "subscript", "deinit", "callAsFunction"]
    return !contains(":") && !exemptNames.contains(self)
  }
}
