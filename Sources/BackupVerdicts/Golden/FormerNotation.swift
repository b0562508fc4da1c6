import BackupCollections
package import BackupDiagnostics

/// Rewrites golden files of format 1 in the present notation, line by line, without a run.
///
/// Format 1 has the signs `+` and `-` in place of words, the number of the step in titles, sizes without
/// a unit, reasons without brackets, and only directories that are empty. All others follow from the
/// items in them: where an item is, or is left out of a backup by itself, its directories are.
struct FormerNotation {
  private static let format = 1
  private static let keychain = "keychain "
  /// The most bytes of names of directories that are added, far more than a run has: a line of hostile text
  /// may have very many directories.
  private static let mostAddedBytes = GoldenStore.largestFile / 2

  private(set) var lines: [String] = []
  /// The words for `+` and `-` in the section.
  private var words = (
    plus: GoldenDocument.Item.Presence.there, minus: GoldenDocument.Item.Presence.gone
  )
  /// True if the section lists all items, and not only purged ones.
  private var listsItems = false
  /// The directories of the section that have a line.
  private var listed: Set<String> = []
  /// The places in ``lines`` of added directories with only items that are gone so far. If nothing else
  /// follows, the directory is gone too: format 1 lists an empty directory itself.
  private var doubtful: [String: Int] = [:]
  /// The places in ``lines`` that are left out at the end, for this reason.
  private var empty: Set<Int> = []
  /// The length of the names of directories that got a line.
  private var addedBytes = 0

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
    notation.endSection()
    return notation.lines.indices.lazy.filter { !notation.empty.contains($0) }
      .map { notation.lines[$0] }.joined(separator: "\n")
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
      endSection()
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

  private mutating func endSection() {
    empty.formUnion(doubtful.values)
    (listed, doubtful) = ([], [:])
  }

  private mutating func add(_ presence: GoldenDocument.Item.Presence, _ text: Substring) {
    var item = GoldenDocument.Item(presence, reading: text, facts: Self.facts)
    // The kit wrote only what it knows, so all the rest is a name.
    if !item.facts.areKnown { item = GoldenDocument.Item(presence, String(text), .init()) }
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
  ///
  /// Names are taken apart as bytes, because a slash with an accent behind it is another character.
  private mutating func addDirectories(of item: GoldenDocument.Item) {
    var missing: [String] = []
    var rest = item.name.utf8[...]
    if item.isDirectory { rest = rest.dropLast() }
    while let slash = rest.lastIndex(of: UInt8(ascii: "/")), addedBytes < Self.mostAddedBytes {
      let name = String(Substring(rest[...slash]))
      rest = rest[..<slash]
      // The container of a group or an extension has a title.
      guard rest.contains(UInt8(ascii: "/")) || rest.last != UInt8(ascii: ":") else { break }
      let isNew = !listed.contains(name)
      // Those above have a line too.
      guard isNew || item.presence != .gone && doubtful.removeValue(forKey: name) != nil else {
        break
      }
      guard isNew else { continue }
      missing.append(name)
      addedBytes += name.utf8.count
    }
    for name in missing.reversed() {
      listed.insert(name)
      if item.presence == .gone { doubtful[name] = lines.count }
      add(GoldenDocument.Item(words.plus, name, GoldenDocument.Item.Facts()))
    }
    if item.isDirectory { listed.insert(item.name) }
  }

  private static func title(_ text: String) -> GoldenDocument.Title {
    GoldenDocument.Title(text) {
      GoldenDocument.Amount(exact: $0.replacing(" taken", with: " freed"))
    }
  }

  private static func facts(_ words: Substring) -> GoldenDocument.Item.Facts {
    GoldenDocument.Item.Facts(
      words,
      amount: { text in
        Int64(text).flatMap { String($0) == text ? .bytes($0) : nil }
          ?? GoldenDocument.Amount(exact: text)
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
