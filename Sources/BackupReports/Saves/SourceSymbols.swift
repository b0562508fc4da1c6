import BackupCollections
import BackupVerdicts
import Foundation

/// The symbols of an app's sources, by the identifiers that compilers give them.
struct SourceSymbols {
  struct Occurrence {
    let name: String
    let usr: String
    /// The function, property or type around it; empty if there is none.
    let container: String
    let isAssignment: Bool
    let file: String
    let line: Int
    let column: Int
  }

  private var definitions: [String: Occurrence] = [:]
  /// The kit's own functions in the app's module.
  private var shims: Set<String> = []
  /// What may use storage, by its name.
  private var candidates: [Occurrence] = []
  /// By the requirement of a protocol, what meets it.
  private var witnesses: [String: Occurrence] = [:]
  /// The calls in each function.
  private var calls: [String: [Occurrence]] = [:]
  /// Where a property is set, and where the path of a URL is asked for.
  private var assignments: [Occurrence] = []
  private var paths: [Occurrence] = []

  mutating func define(_ symbol: Occurrence, isShim: Bool) {
    if isShim { shims.insert(symbol.usr) } else { definitions[symbol.usr] = symbol }
  }

  mutating func use(_ symbol: Occurrence, isCall: Bool) {
    if StorageAPI.mayBe(symbol.name) { candidates.append(symbol) }
    if isCall { calls[symbol.container, default: []].append(symbol) }
    if symbol.isAssignment { assignments.append(symbol) }
    if symbol.usr.contains("3URLV"), ["path", "absoluteString"].contains(symbol.name) {
      paths.append(symbol)
    }
  }

  mutating func meet(_ requirement: String, by witness: Occurrence) {
    if StorageAPI.mayBe(witness.name) { witnesses[requirement] = witness }
  }

  private func api(of symbol: Occurrence) -> StorageAPI? {
    let symbol = witnesses[symbol.usr] ?? symbol
    guard definitions[symbol.usr] == nil else { return nil }
    return StorageAPI(symbol.name, usr: symbol.usr, isShim: shims.contains(symbol.usr))
  }

  /// The places that use storage, in the order of files and lines.
  var places: [StoragePlace] {
    let uses = candidates.compactMap { symbol in api(of: symbol).map { (symbol, $0) } }
    let containersWithProperty = Set(uses.filter { $0.1.isMarkProperty }.map(\.0.container))
    var places = uses.compactMap { symbol, api -> (Occurrence, StoragePlace)? in
      // A function that names the key only reads or sets what it uses as a property.
      if api.isMarkKey, containersWithProperty.contains(symbol.container) { return nil }
      let setsValue = calls[symbol.container]?.contains { $0.name.hasPrefix("setResourceValue(") }
      let isMark = symbol.isAssignment || api.isMarkKey && setsValue == true
      let use = api.use == .look && isMark ? .mark : api.use
      return (symbol, place(use, api.name, at: symbol))
    }
    let pathLines = Set(paths.map { [$0.file, "\($0.line)"] })
    places += assignments.filter { symbol in
      definitions[symbol.usr] != nil && pathLines.contains([symbol.file, "\(symbol.line)"])
    }.map { ($0, place(.path, $0.name, at: $0)) }
    advise(&places)
    return places.map(\.1).sorted { ($0.file, $0.line, $0.column) < ($1.file, $1.line, $1.column) }
  }

  private func place(_ use: StorageUse, _ api: String, at symbol: Occurrence) -> StoragePlace {
    StoragePlace(
      use: use, api: api, function: name(of: symbol.container), file: symbol.file,
      line: symbol.line, column: symbol.column)
  }

  /// A function's name with those of the types around it.
  private func name(of usr: String) -> String {
    guard let definition = definitions[usr] else { return "" }
    let outer = name(of: definition.container)
    // An accessor, for example `getter:file`, has the name of its property, which is around it.
    if definition.name.isEmpty
      || definition.name.starts(with: #/(getter|setter|willSet|didSet|_?read|_?modify):/#)
    {
      return outer
    }
    return outer.isEmpty ? definition.name : "\(outer).\(definition.name)"
  }
}

// MARK: - Advice

extension SourceSymbols {
  /// Says at each place what may be wrong there, by the look of the code.
  private func advise(_ places: inout [(Occurrence, StoragePlace)]) {
    let marking = functions(reaching: places.filter { $0.1.use == .mark }.map(\.0.container))
    let caching = functions(
      reaching: places.filter { $0.1.isPurgeable }.map(\.0.container))
    let callers = callers
    let lines = SourceText()
    for index in places.indices {
      let (symbol, place) = places[index]
      places[index].1.advice =
        switch place.use {
        case .save, .move, .copy:
          adviceOnMark(of: symbol, marking, caching, callers, lines)
        case .path:
          "likely: a stored path is wrong after an update or a restore; store the name"
        case .defaults where lines.text(at: symbol).contains(#/\.path\b|absoluteString/#):
          place.api.contains(".set")
            ? "likely: a stored path is wrong after an update or a restore; store the name" : nil
        case .directory where lines.text(at: symbol).contains("deletingLastPathComponent"):
          "likely: a device refuses files beside Documents, Library and tmp"
        default: nil
        }
    }
  }

  private func adviceOnMark(
    of save: Occurrence, _ marking: Set<String>, _ caching: Set<String>,
    _ callers: [String: Set<String>], _ lines: SourceText
  ) -> String? {
    let marks = (calls[save.container] ?? []).filter {
      marking.contains($0.usr) || $0.name == "setter:isExcludedFromBackup"
    }
    let words = lines.words(at: save)
    let isMarkedLater = marks.contains { $0.line >= save.line }
    // Other saves write in place, or take the mark with them.
    let losesMark = save.name.hasPrefix("replaceItem") || lines.text(at: save).contains("atomic")
    let lost = marks.last { mark in
      // As in `file.exclude()`, whose file the save then names.
      guard mark.line < save.line,
        let receiver = lines.text(at: mark).firstMatch(of: #/(\w+)\.\w+\(/#)?.1
      else { return false }
      return words.contains(String(receiver))
    }
    if let lost, losesMark, !isMarkedLater {
      return "likely: this loses the mark of line \(lost.line); mark after the save"
    }
    var near: Set<String> = [save.container]
    for _ in 0..<2 { near.formUnion(near.flatMap { callers[$0] ?? [] }) }
    guard near.isDisjoint(with: marking), near.isDisjoint(with: caching) else { return nil }
    return "perhaps: no mark is set here or in what calls this; the user's own files need none"
  }

  /// By function, those that call it.
  private var callers: [String: Set<String>] {
    var callers: [String: Set<String>] = [:]
    for (caller, calls) in calls {
      for call in calls { callers[call.usr, default: []].insert(caller) }
    }
    return callers
  }

  /// The functions that call one of some, through any number of others, with these.
  private func functions(reaching some: [String]) -> Set<String> {
    let callers = callers
    var (found, rest) = (Set(some), some)
    while let function = rest.popLast() {
      for caller in callers[function] ?? [] where found.insert(caller).inserted {
        rest.append(caller)
      }
    }
    return found
  }
}

extension StoragePlace {
  /// Whether the place asks for a directory that iOS empties, and leaves out of backups.
  fileprivate var isPurgeable: Bool {
    use == .directory && (api.contains("cache") || api.lowercased().contains("temporary"))
  }
}

/// The lines of source files, each file read once.
private final class SourceText {
  private var files: [String: [Substring]] = [:]

  func text(at symbol: SourceSymbols.Occurrence) -> String {
    let lines =
      files[symbol.file]
      ?? ((try? String(contentsOfFile: symbol.file, encoding: .utf8)) ?? "")
      .split(separator: "\n", omittingEmptySubsequences: false)
    files[symbol.file] = lines
    return lines.indices.contains(symbol.line - 1) ? String(lines[symbol.line - 1]) : ""
  }
  func words(at symbol: SourceSymbols.Occurrence) -> [String] {
    text(at: symbol).matches(of: #/\w+/#).map { String($0.0) }
  }
}
