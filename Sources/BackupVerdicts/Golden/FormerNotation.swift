import BackupCollections
package import BackupDiagnostics

/// The conversion of a golden file from format 1 to the present notation, line by line and without a run.
///
/// Format 1 has the signs `+` and `-` in place of words, the number of the step in titles, sizes without
/// a unit, reasons without brackets, and only empty directories. All other directories follow from the
/// items in them: an item that is there, or that a backup itself leaves out, is in existing directories.
struct FormerNotation {
  private static let format = 1
  private static let keychain = "keychain "
  /// The most bytes in the names of added directories, because a line of hostile text may have very many
  /// directories. No run has nearly as many.
  private static let mostAddedBytes = GoldenStore.largestFile / 2

  private(set) var lines: [String] = []
  /// The presences that `+` and `-` stand for in the section.
  private var presences = (
    plus: GoldenDocument.Item.Presence.there, minus: GoldenDocument.Item.Presence.gone
  )
  /// True if the section lists all items, and not only purged ones.
  private var listsItems = false
  /// The directories of the section that have a line.
  private var listedDirectories: Set<String> = []
  /// The indices in ``lines`` of added directories with only items that are gone so far. If nothing else
  /// follows, the directory is gone too, because format 1 lists an empty directory itself.
  private var possiblyGoneDirectories: [String: Int] = [:]
  /// The indices in ``lines`` of gone directories, which the result leaves out.
  private var omittedLines: Set<Int> = []
  /// The number of bytes in the names of added directories.
  private var addedBytes = 0

  /// Returns the text of a golden file in the present notation. Any other text stays as it is.
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
    return notation.lines.indices.lazy.filter { !notation.omittedLines.contains($0) }
      .map { notation.lines[$0] }.joined(separator: "\n")
  }

  private mutating func rewrite(_ line: String) {
    // A regular expression takes long, and most lines are no titles.
    if line.hasPrefix("step ") || line.hasPrefix("launch step "),
      let title = line.firstMatch(of: /^(?:step \d+|launch step \d+) (.*)$/)?.1
    {
      let title = Self.title(String(title))
      presences =
        switch title.words.prefix(while: { $0 != " " }) {
        case "backup": (.included, .leftOut)
        case "purge": (.there, .purged)
        default: (.there, .gone)
        }
      listsItems = presences.minus != .purged
      endSection()
      lines.append(title.text)
    } else if line.hasPrefix(GoldenDocument.Title.container) {
      lines.append(Self.title(line).text)
    } else if line.hasPrefix("+ ") {
      add(presences.plus, line.dropFirst(2))
    } else if line.hasPrefix("- ") {
      add(presences.minus, line.dropFirst(2))
    } else if line.hasPrefix(Self.keychain), let item = Self.keychainItem(in: line) {
      add(item)
    } else {
      lines.append(line)
    }
  }

  private mutating func endSection() {
    omittedLines.formUnion(possiblyGoneDirectories.values)
    (listedDirectories, possiblyGoneDirectories) = ([], [:])
  }

  private mutating func add(_ presence: GoldenDocument.Item.Presence, _ text: Substring) {
    var item = GoldenDocument.Item(presence, reading: text, facts: Self.facts)
    // The kit wrote only facts in the notation, so all other text is a name.
    if !item.facts.areInNotation { item = GoldenDocument.Item(presence, String(text), .init()) }
    if presence == .gone, case .leftOut(let state, let words) = item.facts.note {
      item.facts.note = .leftOut(state, words: GoldenDocument.Note.notBackedUp + words)
    }
    if listsItems { addDirectories(of: item) }
    add(item)
  }

  private mutating func add(_ item: GoldenDocument.Item) {
    lines.append(GoldenDocument.Content.item(item).description)
  }

  /// Adds the directories of an item that have no line yet. A directory comes before the items in it.
  ///
  /// Names are split as bytes, because a slash with an accent behind it is another character.
  private mutating func addDirectories(of item: GoldenDocument.Item) {
    var missing: [String] = []
    var rest = item.name.utf8[...]
    if item.isDirectory { rest = rest.dropLast() }
    while let slash = rest.lastIndex(of: UInt8(ascii: "/")), addedBytes < Self.mostAddedBytes {
      let name = String(Substring(rest[...slash]))
      rest = rest[..<slash]
      // The container of a group or an extension has a title.
      guard rest.contains(UInt8(ascii: "/")) || rest.last != UInt8(ascii: ":") else { break }
      let isNew = !listedDirectories.contains(name)
      // If this directory has a line, those above it have one too.
      guard
        isNew || item.presence != .gone && possiblyGoneDirectories.removeValue(forKey: name) != nil
      else { break }
      guard isNew else { continue }
      missing.append(name)
      addedBytes += name.utf8.count
    }
    for name in missing.reversed() {
      listedDirectories.insert(name)
      if item.presence == .gone { possiblyGoneDirectories[name] = lines.count }
      add(GoldenDocument.Item(presences.plus, name, GoldenDocument.Item.Facts()))
    }
    if item.isDirectory { listedDirectories.insert(item.name) }
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
  /// Returns a golden file of an earlier format in the present format; nil if it has the present format.
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
    try orphans(notOwnedBy: []).map {
      String($0.dropFirst(folder.count + 1).dropLast(Self.suffix.count))
    }
  }
}
