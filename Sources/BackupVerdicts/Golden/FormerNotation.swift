import BackupCollections
package import BackupDiagnostics

/// Rewrites golden files of format 1 in the present notation, line by line, without a run.
///
/// Format 1 has the signs `+` and `-` in place of words, the number of the step in titles, sizes without
/// a unit, reasons without brackets, and only directories that are empty. All others follow from the
/// items in them: where an item is, or is left out or gone by itself, its directories are.
struct FormerNotation {
  private static let format = 1
  private static let keychain = "keychain "

  private(set) var lines: [String] = []
  /// The words for `+` and `-` in the section.
  private var words = (
    plus: GoldenDocument.Item.Presence.there, minus: GoldenDocument.Item.Presence.gone
  )
  /// Whether the section lists what there is, and not only what iOS took.
  private var listsItems = false
  /// The directories of the section that have a line.
  private var listed: Set<String> = []

  /// The text of a golden file in the present notation. Any other text stays as it is.
  static func rewriting(_ text: String) -> String {
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    guard let first = lines.first, GoldenDocument.conflictLine(in: lines) == nil,
      GoldenDocument.formatNumber(in: first, after: GoldenDocument.keyword) == format
    else { return text }
    var notation = FormerNotation()
    let id = first.drop { $0 != ":" }
    notation.lines.append("\(GoldenDocument.keyword)\(GoldenDocument.format)\(id)")
    for line in lines.dropFirst() { notation.rewrite(line) }
    return notation.lines.joined(separator: "\n")
  }

  private mutating func rewrite(_ line: String) {
    if let title = line.firstMatch(of: /^(?:step \d+|launch step \d+) (.*)$/)?.1 {
      let title = Self.title(String(title))
      words =
        switch title.words.prefix(while: { $0 != " " }) {
        case "backup": (.included, .leftOut)
        case "purge": (.there, .purged)
        default: (.there, .gone)
        }
      listsItems = words.minus != .purged
      listed = []
      lines.append(title.text)
    } else if line.hasPrefix(GoldenDocument.Title.container) {
      lines.append(Self.title(line).text)
    } else if line.hasPrefix("+ ") {
      add(words.plus, line.dropFirst(2))
    } else if line.hasPrefix("- ") {
      add(words.minus, line.dropFirst(2))
    } else if line.hasPrefix(Self.keychain), let item = Self.keychainItem(in: line) {
      add(item)
    } else {
      lines.append(line)
    }
  }

  private mutating func add(_ presence: GoldenDocument.Item.Presence, _ text: Substring) {
    var item = GoldenDocument.Item(presence, reading: text, facts: Self.facts)
    if presence == .gone, case .leftOut(let state, let words) = item.facts.note {
      item.facts.note = .leftOut(state, words: GoldenDocument.Note.notBackedUp + words)
    }
    if listsItems { addDirectories(of: item) }
    add(item)
  }

  private mutating func add(_ item: GoldenDocument.Item) {
    lines.append(GoldenDocument.Content.item(item).description)
  }

  /// Adds those that have no line yet. A directory comes before everything in it.
  private mutating func addDirectories(of item: GoldenDocument.Item) {
    let parts = item.name.split(separator: "/", omittingEmptySubsequences: false)
    let parents = parts.dropLast(item.isDirectory ? 2 : 1)
    for count in parents.indices {
      let name = parents[...count].joined(separator: "/") + "/"
      // The container of a group or an extension has a title.
      guard !(count == 0 && name.hasSuffix(":/")), listed.insert(name).inserted else { continue }
      add(GoldenDocument.Item(words.plus, name, GoldenDocument.Item.Facts()))
    }
    if item.isDirectory { listed.insert(item.name) }
  }

  private static func title(_ text: String) -> GoldenDocument.Title {
    GoldenDocument.Title(text) {
      GoldenDocument.Amount(exact: String($0).replacing(/\ taken$/, with: " freed"))
    }
  }

  private static func facts(_ words: Substring) -> GoldenDocument.Item.Facts {
    GoldenDocument.Item.Facts(
      words,
      amount: { text in
        text.allSatisfy(\.isNumber)
          ? Int64(text).map { .bytes($0) } : GoldenDocument.Amount(exact: String(text))
      },
      note: { GoldenDocument.Note($0) })
  }

  private static func keychainItem(in line: String) -> GoldenDocument.Item? {
    let fates: [(String, GoldenDocument.Item.Presence)] = [("  lost", .gone), ("  kept", .there)]
    return fates.first { line.hasSuffix($0.0) }.map { end, presence in
      GoldenDocument.Item(
        presence, String(line.dropFirst(keychain.count).dropLast(end.count)),
        GoldenDocument.Item.Facts(note: .plain(.keychainItem)))
    }
  }
}

extension GoldenStore {
  /// A golden file of an earlier format, rewritten in the present one without a run, so that it says
  /// the same; nil if it has the present one.
  package func converted(_ id: String) throws(RunError) -> String? {
    let path = path(of: id)
    guard let text = try rawText(at: path, place: place(of: "\(id)\(Self.suffix)", or: .unreadable))
    else { return nil }
    _ = try GoldenDocument.checked(text, of: id, at: path)
    let rewritten = FormerNotation.rewriting(text)
    return rewritten.utf8.elementsEqual(text.utf8) ? nil : rewritten
  }

  /// The ids of the golden files in the folder, sorted.
  package func ids() throws(RunError) -> [String] {
    try orphans(besides: []).map {
      String($0.dropFirst(folder.count + 1).dropLast(Self.suffix.count))
    }
  }
}
