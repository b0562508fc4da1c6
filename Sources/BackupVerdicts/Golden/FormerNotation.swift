import BackupCollections
package import BackupDiagnostics

/// Converts a golden file from format 1 to the present format, line by line and without a run.
///
/// Format 1 differs from the present format in these points:
///
/// * The signs `+` and `-` stand in place of words such as `in` and `out`.
/// * Titles have the number of the step.
/// * Sizes have no unit, and reasons have no brackets.
/// * A directory has a line only if it is empty. A directory with items exists if one of its items
///   exists. Items that a backup leaves out exist too.
struct FormerNotation {
  private static let format = 1
  private static let keychainPrefix = "keychain "
  /// The most bytes in the names of added directories. A line of a hostile text may name very many
  /// directories, but no run has nearly as many.
  private static let maximumAddedByteCount = GoldenStore.maximumFileSize / 2

  private(set) var lines: [String] = []
  /// The words that `+` and `-` stand for in the current section.
  private var presences = (
    plus: GoldenDocument.Item.Presence.there, minus: GoldenDocument.Item.Presence.gone
  )
  /// True if the current section lists all items. The section of a purge lists only purged items.
  private var listsAllItems = false
  /// The directories that have a line in the current section.
  private var listedDirectories: Set<String> = []
  /// The added directories whose items so far are all gone, with the indices of their lines.
  ///
  /// If no existing item follows, the directory is gone too, because format 1 has a line for an
  /// existing directory without items.
  private var possiblyGoneDirectories: [String: Int] = [:]
  /// The indices in ``lines`` of directories that are gone. The result leaves these lines out.
  private var omittedLineIndices: Set<Int> = []
  /// The number of bytes in the names of added directories.
  private var addedByteCount = 0

  /// Returns the text of a golden file in the present format. Returns any other text unchanged.
  static func rewriting(_ text: String) -> String {
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    guard let firstLine = lines.first, GoldenDocument.indexOfConflictMarker(in: lines) == nil,
      GoldenDocument.formatNumber(in: firstLine, after: GoldenDocument.keyword) == format
    else { return text }
    var notation = FormerNotation()
    let idWithColon = firstLine.drop { $0 != ":" }
    notation.lines.append("\(GoldenDocument.keyword)\(GoldenDocument.format)\(idWithColon)")
    for line in lines.dropFirst() { notation.rewrite(line) }
    notation.endSection()
    return notation.lines.indices.lazy.filter { !notation.omittedLineIndices.contains($0) }
      .map { notation.lines[$0] }.joined(separator: "\n")
  }

  private mutating func rewrite(_ line: String) {
    // Most lines are no titles, and a regular expression is slow.
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
      listsAllItems = presences.minus != .purged
      endSection()
      lines.append(title.text)
    } else if line.hasPrefix(GoldenDocument.Title.containerKeyword) {
      lines.append(Self.title(line).text)
    } else if line.hasPrefix("+ ") {
      addItem(presences.plus, reading: line.dropFirst(2))
    } else if line.hasPrefix("- ") {
      addItem(presences.minus, reading: line.dropFirst(2))
    } else if line.hasPrefix(Self.keychainPrefix), let item = Self.keychainItem(in: line) {
      addLine(of: item)
    } else {
      lines.append(line)
    }
  }

  private mutating func endSection() {
    omittedLineIndices.formUnion(possiblyGoneDirectories.values)
    (listedDirectories, possiblyGoneDirectories) = ([], [:])
  }

  private mutating func addItem(
    _ presence: GoldenDocument.Item.Presence, reading text: Substring
  ) {
    var item = GoldenDocument.Item(presence, reading: text, facts: Self.facts)
    // The kit wrote only facts that it can read, so any other text belongs to the name.
    if !item.facts.areInNotation { item = GoldenDocument.Item(presence, String(text), .init()) }
    if presence == .gone, case .leftOut(let state, let words) = item.facts.note {
      item.facts.note = .leftOut(state, words: GoldenDocument.Note.notBackedUpPrefix + words)
    }
    if listsAllItems { addDirectories(of: item) }
    addLine(of: item)
  }

  private mutating func addLine(of item: GoldenDocument.Item) {
    lines.append(GoldenDocument.Content.item(item).description)
  }

  /// Adds lines for the directories above an item that have no line yet, the outermost first.
  ///
  /// Splits names as bytes, because in a string, a slash and a combining accent are one character.
  private mutating func addDirectories(of item: GoldenDocument.Item) {
    var directoriesToAdd: [String] = []
    var path = item.name.utf8[...]
    if item.isDirectory { path = path.dropLast() }
    while let slash = path.lastIndex(of: UInt8(ascii: "/")),
      addedByteCount < Self.maximumAddedByteCount
    {
      let name = String(Substring(path[...slash]))
      path = path[..<slash]
      // The container of a group or an extension has a title instead of a line.
      guard path.contains(UInt8(ascii: "/")) || path.last != UInt8(ascii: ":") else { break }
      let isUnlisted = !listedDirectories.contains(name)
      // If this directory has a line, the directories above it have lines too.
      guard
        isUnlisted
          || item.presence != .gone && possiblyGoneDirectories.removeValue(forKey: name) != nil
      else { break }
      guard isUnlisted else { continue }
      directoriesToAdd.append(name)
      addedByteCount += name.utf8.count
    }
    for name in directoriesToAdd.reversed() {
      listedDirectories.insert(name)
      if item.presence == .gone { possiblyGoneDirectories[name] = lines.count }
      addLine(of: GoldenDocument.Item(presences.plus, name, GoldenDocument.Item.Facts()))
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
    return fates.first { line.hasSuffix($0.0) }.map { suffix, presence in
      GoldenDocument.Item(
        presence, String(line.dropFirst(keychainPrefix.count).dropLast(suffix.count)),
        GoldenDocument.Item.Facts(note: .plain(.keychainItem)))
    }
  }
}

extension GoldenStore {
  /// Returns a scenario's golden file, converted to the present format. Returns nil if the file
  /// does not exist, or already has this format.
  package func convertedText(_ id: String) throws(RunError) -> String? {
    let path = path(of: id)
    guard
      let text = try rawText(
        at: path, resolvedPath: resolvedPath(of: "\(id)\(Self.suffix)", orThrow: .unreadable))
    else { return nil }
    _ = try GoldenDocument.checked(text, of: id, at: path)
    let convertedText = FormerNotation.rewriting(text)
    return convertedText.utf8.elementsEqual(text.utf8) ? nil : convertedText
  }

  /// The ids of the golden files in the folder, sorted.
  package func ids() throws(RunError) -> [String] {
    try orphans(notOwnedBy: []).map {
      String($0.dropFirst(folder.count + 1).dropLast(Self.suffix.count))
    }
  }
}
