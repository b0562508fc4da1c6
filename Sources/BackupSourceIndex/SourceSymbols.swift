/// A place in an app's source that uses storage.
package struct StoragePlace: Encodable, Hashable, Sendable {
  package let use: StorageUse
  /// As in `FileManager.moveItem(at:to:)`.
  package let api: String
  /// As in `MovieStore.keep(_:as:)`; empty outside of functions and properties.
  package let function: String
  /// Relative to the working directory, or absolute.
  package let file: String
  package let line: Int
  /// From 1, in bytes.
  package let column: Int
  /// The compiler's identifier of the function.
  package let container: String

  private enum CodingKeys: String, CodingKey { case use, api, function, file, line, column }
}

/// The symbols of an app's sources, by the identifiers that compilers give them.
package struct SourceSymbols {
  package struct Occurrence {
    package let name: String
    package let usr: String
    /// The function, property or type around it; empty if there is none.
    package let container: String
    let isAssignment: Bool
    package let file: String
    package let line: Int
    let column: Int
  }

  /// The calls in each function.
  package private(set) var calls: [String: [Occurrence]] = [:]
  private var definitions: [String: Occurrence] = [:]
  /// The kit's own functions in the app's module.
  private var shims: Set<String> = []
  /// What may use storage, by its name.
  private var candidates: [Occurrence] = []
  /// By the requirement of a protocol, what meets it.
  private var witnesses: [String: Occurrence] = [:]
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

  /// In the order of files and lines.
  var places: [StoragePlace] {
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
      let setsValue = calls[symbol.container]?.contains { $0.name.hasPrefix("setResourceValue(") }
      let isMark = symbol.isAssignment || api.isMarkKey && setsValue == true
      return place(api.use == .look && isMark ? .mark : api.use, api.name, at: symbol)
    }
    let pathLines = Set(paths.map { "\($0.file):\($0.line)" })
    places += assignments.compactMap { symbol in
      guard definitions[symbol.usr] != nil, pathLines.contains("\(symbol.file):\(symbol.line)")
      else { return nil }
      return place(.path, symbol.name, at: symbol)
    }
    return places.sorted { ($0.file, $0.line, $0.column) < ($1.file, $1.line, $1.column) }
  }

  private func place(_ use: StorageUse, _ api: String, at symbol: Occurrence) -> StoragePlace {
    StoragePlace(
      use: use, api: api, function: name(of: symbol.container), file: symbol.file,
      line: symbol.line, column: symbol.column, container: symbol.container)
  }

  /// A function's name with those of the types around it.
  private func name(of usr: String) -> String {
    guard let definition = definitions[usr] else { return "" }
    let outer = name(of: definition.container)
    // An accessor has the name of its property, which is around it.
    let accessors = #/(getter|setter|willSet|didSet|_?read|_?modify):/#
    if definition.name.isEmpty || definition.name.starts(with: accessors) { return outer }
    return outer.isEmpty ? definition.name : "\(outer).\(definition.name)"
  }
}
