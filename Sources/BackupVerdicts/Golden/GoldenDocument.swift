import BackupDevice
package import BackupDiagnostics
import BackupFileTree
package import BackupScenarios

/// The lines of a golden file, each with its event and its runs.
///
/// Only this type reads and writes the notation of golden files, except for the names of runs,
/// which ``VariantGroup`` reads and writes. Any text is a valid document: a line in no known
/// notation is a title, or ``Content/other(_:)`` if the line is empty or begins with a space or
/// `#`. A line that was read is printed unchanged.
package struct GoldenDocument: Sendable {
  struct Line: Sendable {
    let text: Substring
    /// The event of the line's section; nil before the first section.
    let event: Event?
    /// The index of the line's group in ``groupHeadings``.
    let groupIndex: Int
  }

  /// The event of iOS that a section is about. The value stays the same if steps of the app are
  /// added or moved.
  package struct Event: Hashable, Sendable, CustomStringConvertible {
    /// The words of the section's title.
    let words: String
    /// 1 for the first section with these words in a run, 2 for the second section, and so on.
    let occurrence: Int

    package var description: String { occurrence == 1 ? words : "\(words) (\(occurrence))" }
  }

  /// Numbers the events of a run that have the same words.
  struct EventCounter {
    private var counts: [String: Int] = [:]

    mutating func nextEvent(_ words: String) -> Event {
      counts[words, default: 0] += 1
      return Event(words: words, occurrence: counts[words] ?? 1)
    }
  }

  private(set) var lines: [Line] = []
  /// For each group of runs, the lines that name its runs, for example `system iOS 18, iCloud`.
  ///
  /// The first group is for the document's lines before any line that names runs. The caller of
  /// `init` gives the lines that name the runs of this group.
  private(set) var groupHeadings: [[String]]

  /// The number of the golden files' format. ``FormerNotation`` reads format 1.
  package static let format = 2
  /// The start of a golden file, before the number of its format.
  package static let keyword = "# golden "

  /// Reads a golden file, or the part of a golden file for the runs with these headings.
  init(parsing text: String, of headings: [String] = []) {
    self.groupHeadings = [headings]
    var (event, counter, followsHeading): (Event?, EventCounter, Bool) = (
      nil, EventCounter(), false
    )
    let lineTexts = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    lines.reserveCapacity(lineTexts.count)
    for lineText in lineTexts.lazy.map(Substring.init) {
      if lineText.hasPrefix(VariantGroup.keyword) {
        if !followsHeading { self.groupHeadings.append([]) }
        self.groupHeadings[self.groupHeadings.count - 1].append(String(lineText))
        (event, counter, followsHeading) = (nil, EventCounter(), true)
      } else if !lineText.isEmpty {
        followsHeading = false
        if !lineText.hasPrefix(" "), case .event(let title) = Content(lineText) {
          event = counter.nextEvent(title.words)
        }
      }
      lines.append(Line(text: lineText, event: event, groupIndex: self.groupHeadings.count - 1))
    }
    if lines.last?.text.isEmpty == true { lines.removeLast() }
  }

  /// Returns the document. If `text` does not end in a line feed, adds a line that says so.
  func notingMissingLineFeed(of text: String) -> GoldenDocument {
    guard let last = lines.last, text.utf8.last != UInt8(ascii: "\n") else { return self }
    var document = self
    document.lines.append(
      Line(text: "(no line feed)", event: last.event, groupIndex: last.groupIndex))
    return document
  }

  /// Checks the text of a golden file, and returns it with the scenario's id in the first line.
  ///
  /// The id in the file is only for people. If a scenario and its golden file are renamed, the file
  /// therefore stays valid. Throws an error for a text without such a first line, for a later
  /// format, and for the markers of a merge conflict.
  package static func checked(
    _ text: String, of id: String, at path: String
  ) throws(RunError) -> String {
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    if let lineIndex = indexOfConflictMarker(in: lines.map { String(Substring($0)) }) {
      throw RunError(
        .notGolden,
        "\(path):\(lineIndex + 1): the golden file has merge conflict markers; choose one side and "
          + "remove them, or record it again")
    }
    let first = lines.first.map(String.init) ?? ""
    guard let fileFormat = formatNumber(in: first, after: keyword) else {
      throw RunError(
        .notGolden,
        "\(path):1: the golden file must begin with '\(keyword)\(format): ' and the "
          + "scenario's id; record it again")
    }
    guard fileFormat <= format else {
      throw RunError(
        .laterFormat,
        "\(path):1: the golden file has format \(fileFormat), which a later version of the kit wrote; "
          + "this version reads only format \(format). Use the later version, or record it again")
    }
    return header(id) + text.dropFirst(first.count)
  }

  /// Returns the index of the first line that is a marker of a merge conflict; nil if there is
  /// none.
  static func indexOfConflictMarker(in lines: [String]) -> Int? {
    let markers = ["<<<<<<<", "|||||||", "=======", ">>>>>>>"]
    return lines.firstIndex { line in markers.contains { line == $0 || line.hasPrefix("\($0) ") } }
  }

  /// Returns the first line of a scenario's golden file.
  static func header(_ id: String) -> String { "\(keyword)\(format): \(EscapedText.escape(id))" }

  /// Returns the format's number in the first line of a file, such as 2 in `# golden 2: id`; nil
  /// for any other line.
  static func formatNumber(in line: String, after keyword: String) -> Int? {
    guard line.hasPrefix(keyword), line.contains(":") else { return nil }
    let digits = line.dropFirst(keyword.count).prefix { $0 != ":" }
    return Int(digits).flatMap { $0 > 0 ? $0 : nil }
  }
}

extension GoldenDocument {
  /// The content of a line that does not name runs.
  package enum Content: Hashable, Sendable, CustomStringConvertible {
    /// The title of a section.
    case event(Title)
    /// The title of the items in the container of a group or an extension.
    case container(Title)
    case item(Item)
    case other(String)

    /// Reads a line.
    package init(_ text: some StringProtocol) {
      if let item = Item(text) {
        self = .item(item)
      } else if text.hasPrefix(Title.containerKeyword) {
        self = .container(Title(String(text)))
      } else if text.isEmpty || text.hasPrefix(" ") || text.hasPrefix("#") {
        self = .other(String(text))
      } else {
        self = .event(Title(String(text)))
      }
    }

    /// The item that the line describes; nil for other lines.
    package var item: Item? {
      switch self {
      case .item(let item): item
      case .event, .container, .other: nil
      }
    }

    /// The words of a title without the sum; nil for other lines.
    ///
    /// Reviews group golden files by these words. The sum would differ whenever a line below the
    /// title differs.
    package var wordsWithoutSum: String? {
      switch self {
      case .event(let title), .container(let title): title.words
      case .item, .other: nil
      }
    }

    package var description: String {
      var text = ""
      write(to: &text)
      return text
    }

    func write(to text: inout String) {
      switch self {
      case .event(let title), .container(let title): text += title.text
      case .item(let item): item.write(to: &text)
      case .other(let words): text += words
      }
    }
  }

  /// The title of a section, or of a container in a section. A title may end with the sum of the
  /// items below, as in `backup "at night": 3 files, 20 bytes`.
  package struct Title: Hashable, Sendable {
    /// The line without the sum.
    package let words: String
    private let amount: Amount?

    static let containerKeyword = "container "
    private static let amountSeparator = ": "

    init(_ words: String, amount: Amount?) {
      self.words = words
      self.amount = amount
    }

    /// Creates the title of the container of a group or an extension.
    init(container identifier: String, isGroup: Bool, amount: Amount?) {
      let kind = isGroup ? "a group" : "an extension"
      self.init("\(Self.containerKeyword)\(identifier), of \(kind)", amount: amount)
    }

    /// Reads a title.
    init(_ text: String, amount parseAmount: (Substring) -> Amount? = { Amount($0) }) {
      let end = text.lastIndex(of: ":") ?? text.endIndex
      let sum = text[end...]
      let amount =
        sum.hasPrefix(Self.amountSeparator)
        ? parseAmount(sum.dropFirst(Self.amountSeparator.count)) : nil
      self.amount = amount
      self.words = amount == nil ? text : String(text[..<end])
    }

    var text: String { words + (amount.map { Self.amountSeparator + $0.description } ?? "") }
  }

  /// An item with its facts in a golden file.
  package struct Item: Hashable, Sendable {
    /// The first word of the line: `in` or `out` for a backup, `purged` for a purge, and `there` or
    /// `gone` for other events.
    package enum Presence: String, CaseIterable, Sendable {
      case included = "in"
      case leftOut = "out"
      case there, gone
      case purged

      /// The start of a line: the word with spaces, so that both words of a section have the same
      /// width.
      fileprivate var start: String {
        switch self {
        case .included, .leftOut: "  \(rawValue.padded(to: 3))  "
        case .there, .gone: "  \(rawValue.padded(to: 5))  "
        case .purged: "  \(rawValue)  "
        }
      }
    }

    package let presence: Presence
    /// The item's path with escapes. The path of a directory ends with a slash.
    package let name: String
    package var facts: Facts

    static let factSeparator = "  "

    init(_ presence: Presence, _ name: String, _ facts: Facts) {
      self.presence = presence
      self.name = name
      self.facts = facts
    }

    package var isDirectory: Bool { name.last == "/" }

    package func renamed(_ name: String) -> Item { Item(presence, name, facts) }

    /// Reads the line of an item; nil for any other line.
    fileprivate init?(_ text: some StringProtocol) {
      guard let presence = Presence.allCases.first(where: { text.hasPrefix($0.start) }) else {
        return nil
      }
      self.init(presence, reading: text.dropFirst(presence.start.count)) { Facts($0) }
    }

    /// The most separators that are tried as the end of a name, so that long lines take little
    /// time.
    private static let maximumSeparatorCount = 8

    /// Reads the text after the first word: the name, two spaces and the facts.
    ///
    /// A name can contain two spaces too. If the text after two spaces is not in the notation of
    /// facts, the name continues there. A name may end with a space, but facts never begin with a
    /// space.
    init(
      _ presence: Presence, reading nameAndFacts: some StringProtocol,
      facts parseFacts: (Substring) -> Facts
    ) {
      let nameAndFacts = Substring(nameAndFacts)
      let separators = nameAndFacts.ranges(of: Self.factSeparator)
      var match: (separator: Range<Substring.Index>, facts: Facts)?
      for separator in separators.suffix(Self.maximumSeparatorCount) where match == nil {
        let factsStart = nameAndFacts[separator.upperBound...].prefix { $0 == " " }.endIndex
        let facts = parseFacts(nameAndFacts[factsStart...])
        guard facts.areInNotation else { continue }
        match = (
          nameAndFacts.index(factsStart, offsetBy: -Self.factSeparator.count)..<factsStart, facts
        )
      }
      // A text that ends with a slash is the name of a directory, without facts.
      if match == nil, nameAndFacts.last != "/" {
        match = separators.first.map { ($0, parseFacts(nameAndFacts[$0.upperBound...])) }
      }
      self.init(
        presence, String(nameAndFacts[..<(match?.separator.lowerBound ?? nameAndFacts.endIndex)]),
        match?.facts ?? Facts())
    }

    /// The most bytes of a line whose possible names are computed. The line of a real item is
    /// shorter, even if each byte of its path is escaped.
    private static let maximumLineSize = 20_000

    /// The names that the item may have, the longest first, without the slash of a directory.
    ///
    /// For example, `a  5 bytes` is a name, or the name `a` with a size.
    var possibleNames: [String] {
      let text = Content.item(self).description
      guard text.utf8.count <= Self.maximumLineSize else { return [] }
      let parts = text.dropFirst(presence.start.count)
        .split(separator: Self.factSeparator, omittingEmptySubsequences: false)
      return parts.indices.reversed().map { end in
        let name = parts[...end].joined(separator: Self.factSeparator)
        return name.last == "/" ? String(name.dropLast()) : name
      }
    }

    fileprivate func write(to text: inout String) {
      text += presence.start
      text += name
      func add(_ fact: String?) {
        guard let fact else { return }
        text += Self.factSeparator
        text += fact
      }
      add(facts.amount?.description)
      add(facts.note?.bracketed)
      if facts.itemCount > 1 { add("×\(facts.itemCount)") }
    }

    /// The facts in a line after the item's name.
    package struct Facts: Hashable, Sendable {
      package var amount: Amount?
      package var note: Note?
      /// The number of items that share the line. The amount is the sum of their sizes.
      package var itemCount = 1

      init(amount: Amount? = nil, note: Note? = nil, itemCount: Int = 1) {
        self.amount = amount
        self.note = note
        self.itemCount = itemCount
      }

      fileprivate init(_ words: Substring) {
        self.init(words, amount: { Amount($0) }) { Note(bracketed: $0) }
      }

      /// Reads an amount, a note and a number of items, each of which may be missing.
      init(
        _ words: Substring, amount parseAmount: (Substring) -> Amount?,
        note parseNote: (String) -> Note
      ) {
        var parts = words.split(separator: factSeparator, omittingEmptySubsequences: false)[...]
        if let amount = parts.first.flatMap(parseAmount) {
          self.amount = amount
          parts.removeFirst()
        }
        if let last = parts.last, let count = Int(last.dropFirst()), count > 1, last == "×\(count)"
        {
          self.itemCount = count
          parts.removeLast()
        }
        if !parts.isEmpty { self.note = parseNote(parts.joined(separator: factSeparator)) }
      }

      /// True if the kit may have written these facts.
      ///
      /// The kit writes a size and a note together only for an item that is marked, but backed up.
      var areInNotation: Bool {
        switch note {
        case nil, .plain(.ignoredMark): true
        case .plain, .lost, .leftOut: amount == nil
        case .other: false
        }
      }

      /// The facts without sizes and the number of items. Lines with the same first word and name
      /// are merged if these facts are equal.
      var withoutSizes: Facts {
        var facts = self
        (facts.amount, facts.itemCount) = (amount?.withoutSizes, 1)
        return facts
      }
    }
  }

  /// A number of files, a number of bytes, or both. A number that the form does not have is 0.
  package struct Amount: Hashable, Sendable {
    package enum Form: CaseIterable, Sendable {
      /// The size of a file.
      case bytes
      case files, filesAndBytes
      /// The bytes that a purge freed.
      case freed
    }

    package let form: Form
    private(set) var fileCount = 0
    package private(set) var bytes: Int64 = 0

    static func bytes(_ bytes: Int64) -> Amount { Amount(form: .bytes, bytes: bytes) }
    static func files(_ files: Int, bytes: Int64?) -> Amount {
      Amount(form: bytes == nil ? .files : .filesAndBytes, fileCount: files, bytes: bytes ?? 0)
    }
    static func freed(_ bytes: Int64) -> Amount { Amount(form: .freed, bytes: bytes) }

    fileprivate var withoutSizes: Amount { Amount(form: form) }

    /// The sum of two amounts of the same form.
    static func + (first: Amount, second: Amount) -> Amount {
      let (bytes, overflows) = first.bytes.addingReportingOverflow(second.bytes)
      return Amount(
        form: first.form, fileCount: first.fileCount + second.fileCount,
        bytes: overflows ? .max : bytes)
    }
  }

  /// The reason why an item is there or gone, or the item's kind.
  package enum Note: Hashable, Sendable, CustomStringConvertible {
    case plain(Plain)
    /// iOS removed the item. After a purge, the line has an amount instead.
    case lost(Transcript.LossReason)
    /// A backup leaves the item out. The words give the reason, and may name another item.
    case leftOut(ItemState, words: String)
    case other(String)

    /// A note with fixed words.
    package enum Plain: String, CaseIterable, Sendable {
      case link
      case ignoredMark = "marked, but backed up"
      case keychainItem = "keychain item"
    }

    /// The start of the note on an item that is gone because the backup left it out.
    static let notBackedUpPrefix = "not in the backup: "

    init(_ words: String) {
      let wordsOfReason = words.trimmingPrefix(Self.notBackedUpPrefix)
      let matchingReason = Self.leftOutReasons.first { start, _ in
        start.last == " " ? wordsOfReason.hasPrefix(start) : wordsOfReason == start
      }
      self =
        Self.fixedNotes.first { $0.description == words }
        ?? matchingReason.map { .leftOut($0.state, words: words) } ?? .other(words)
    }

    fileprivate init(bracketed words: String) {
      let note = Note(String(words.dropFirst().dropLast()))
      self = note.bracketed == words ? note : .other(words)
    }

    /// The note with brackets, as in a line. Words that are not in the notation stay unchanged.
    fileprivate var bracketed: String {
      if case .other(let words) = self { words } else { "(\(self))" }
    }

    private static let fixedNotes =
      Plain.allCases.map(Note.plain) + Transcript.LossReason.allCases.map(Note.lost)

    /// The words of each reason. Words that end in a space are only the start, because the rest
    /// varies.
    private static let leftOutReasons: [(start: Substring, state: ItemState)] =
      BackupSet.LeftOutReason.examples.map { reason in
        let words = reason.description { _ in "" }
        return (words.prefix { $0 != "(" }, ItemState(.leftOut(reason)))
      }

    package var description: String {
      switch self {
      case .plain(let note): note.rawValue
      case .lost(.purged): "purged"
      case .lost(.notKeptByUpdate): "not carried over"
      case .lost(.notKeptByOffload): "not kept"
      case .lost(.deletedWithApp): "deleted with the app"
      case .lost(.notRestored): "not restored"
      case .leftOut(_, let words), .other(let words): words
      }
    }
  }
}

extension GoldenDocument.Amount: CustomStringConvertible {
  /// The exact numbers. A large size also has a rounded form.
  package var description: String {
    describe { $0 < 1_000_000 ? $0.counted("byte") : "\($0.counted("byte")) (\($0.formattedSize))" }
  }

  private func describe(_ sizeText: (Int) -> String) -> String {
    switch form {
    case .bytes: sizeText(Int(bytes))
    case .files: fileCount.counted("file")
    case .filesAndBytes: "\(fileCount.counted("file")), \(sizeText(Int(bytes)))"
    case .freed: "\(sizeText(Int(bytes))) freed"
    }
  }

  /// Reads an amount after an item's name or a title's words.
  init?(_ words: Substring) {
    guard let amount = Self(numbersIn: words), amount.description == words else { return nil }
    self = amount
  }

  /// Reads an amount without a rounded size.
  init?(exact words: Substring) {
    guard let amount = Self(numbersIn: words),
      amount.describe({ $0.counted("byte") }) == words
    else { return nil }
    self = amount
  }

  /// Reads the numbers between spaces, and ignores most other words.
  private init?(numbersIn words: Substring) {
    guard let start = words.utf8.first, UInt8(ascii: "0")...UInt8(ascii: "9") ~= start else {
      return nil
    }
    let parts = words.split(separator: " ", maxSplits: 6)
    let numbers = parts.compactMap { Int64($0) }
    guard let first = numbers.first, let last = numbers.last, last >= 0 else { return nil }
    if parts.last == "freed" {
      self = .freed(first)
    } else if numbers.count == 2 {
      self = .files(Int(first), bytes: last)
    } else if parts.last?.hasPrefix("file") == true {
      self = .files(Int(first), bytes: nil)
    } else {
      self = .bytes(first)
    }
  }
}
