import BackupDevice
package import BackupDiagnostics
import BackupFileTree
package import BackupScenarios

/// The text of a golden file, taken apart.
///
/// The notation of golden files is written and read only here; ``VariantGroup`` does both for the
/// names of runs. Any text is a document: what a person wrote there is ``Content/other(_:)``. Each
/// line is printed as it was read.
package struct GoldenDocument: Sendable {
  struct Line: Sendable {
    let text: Substring
    /// The line that begins the section it is in, `step 4 backup …`; nil before the first.
    let heading: String?
    /// The place in ``runs`` of the runs that it is about.
    let group: Int
  }

  private(set) var lines: [Line] = []
  /// The lines that name the runs of each group; those of the first group are known from elsewhere.
  private(set) var runs: [[String]]

  /// The number of the golden files' format, the first that there is.
  package static let format = 1
  /// What a golden file begins with, before the number.
  package static let keyword = "# golden "

  /// Reads a whole golden file, or the part of it that is about some runs.
  init(parsing text: String, of runs: [String] = []) {
    self.runs = [runs]
    var (heading, isAfterRuns): (String?, Bool) = (nil, false)
    let texts = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    lines.reserveCapacity(texts.count)
    for text in texts.lazy.map(Substring.init) {
      if text.hasPrefix(Title.step) { heading = String(text) }
      if text.hasPrefix(VariantGroup.keyword) {
        if !isAfterRuns { self.runs.append([]) }
        self.runs[self.runs.count - 1].append(String(text))
        (heading, isAfterRuns) = (nil, true)
      } else if !text.isEmpty {
        isAfterRuns = false
      }
      lines.append(Line(text: text, heading: heading, group: self.runs.count - 1))
    }
    if lines.last?.text.isEmpty == true { lines.removeLast() }
  }

  /// The same with a line that says that the last one has no end, if it has none.
  func showingMissingEnd(of text: String) -> GoldenDocument {
    guard let last = lines.last, text.utf8.last != UInt8(ascii: "\n") else { return self }
    var document = self
    document.lines.append(Line(text: "(no line feed)", heading: last.heading, group: last.group))
    return document
  }

  /// The text of a golden file as the scenario's would begin; its id is for people, so that a file
  /// renamed with its scenario stays right. A later format and an unfinished merge are errors.
  package static func checked(
    _ text: String, of id: String, at path: String
  ) throws(RunError) -> String {
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    // What version control begins a line with that it could not merge.
    let markers = ["<<<<<<<", "|||||||", "=======", ">>>>>>>"]
    let conflict = lines.map(Substring.init).firstIndex { line in
      markers.contains { line == $0 || line.hasPrefix("\($0) ") }
    }
    if let line = conflict {
      throw RunError(
        .notGolden,
        "\(path):\(line + 1): the golden file has merge conflict markers; choose one side and "
          + "remove them, or record it again")
    }
    let first = lines.first.map(String.init) ?? ""
    guard let found = formatNumber(in: first, after: keyword) else {
      throw RunError(
        .notGolden,
        "\(path):1: the golden file must begin with '\(keyword)\(format): ' and the "
          + "scenario's id; record it again")
    }
    guard found <= format else {
      throw RunError(
        .laterFormat,
        "\(path):1: the golden file has format \(found), which a later version of the kit wrote; "
          + "this version reads only format \(format). Use the later version, or record it again")
    }
    return header(id) + text.dropFirst(first.count)
  }

  /// The first line of a scenario's golden file.
  static func header(_ id: String) -> String { "\(keyword)\(format): \(EscapedText.escape(id))" }

  /// The number in a file's first line, `KEYWORD1: id`; nil for any other line.
  static func formatNumber(in line: String, after keyword: String) -> Int? {
    guard line.hasPrefix(keyword), line.contains(":") else { return nil }
    let digits = line.dropFirst(keyword.count).prefix { $0 != ":" }
    return Int(digits).flatMap { $0 > 0 ? $0 : nil }
  }
}

extension GoldenDocument {
  /// What a line says below the lines that name runs.
  package enum Content: Hashable, Sendable, CustomStringConvertible {
    /// Begins a section.
    case step(Title)
    /// Begins the items of a container beside the app's.
    case container(Title)
    case keychainItem(String, KeychainFate)
    case item(Item)
    case other(String)

    /// Reads a line.
    package init(_ text: some StringProtocol) {
      if let item = Item(text) {
        self = .item(item)
      } else if text.hasPrefix(Title.step) {
        self = .step(Title(String(text)))
      } else if text.hasPrefix(Title.container) {
        self = .container(Title(String(text)))
      } else {
        self = Self.keychainItem(in: text) ?? .other(String(text))
      }
    }

    private static let keychain = "keychain "

    private static func keychainItem(in text: some StringProtocol) -> Content? {
      guard text.hasPrefix(keychain) else { return nil }
      let rest = text.dropFirst(keychain.count)
      return KeychainFate.allCases.first { rest.hasSuffix("  \($0.rawValue)") }.map { fate in
        .keychainItem(String(rest.dropLast(fate.rawValue.count + 2)), fate)
      }
    }

    /// The item of which the line says something of its own: what reviews, pages, digests and reasons
    /// look at in lines that differ.
    package var item: Item? {
      switch self {
      case .item(let item): item
      case .step, .container, .keychainItem, .other: nil
      }
    }

    /// The words by which reviews group golden files that changed alike; nil for a line that they compare whole. A
    /// title has the sum of the lines below it, which differs if one of them does.
    package var wordsWithoutSum: String? {
      switch self {
      case .step(let title), .container(let title): title.words
      case .keychainItem, .item, .other: nil
      }
    }

    package var description: String {
      var text = ""
      write(to: &text)
      return text
    }

    func write(to text: inout String) {
      switch self {
      case .step(let title), .container(let title): text += title.text
      case .keychainItem(let name, let fate):
        text += Self.keychain
        text += name
        text += "  "
        text += fate.rawValue
      case .item(let item): item.write(to: &text)
      case .other(let words): text += words
      }
    }
  }

  package enum KeychainFate: String, CaseIterable, Sendable { case lost, kept }

  /// A line with other lines below it, and maybe with the sum of the items there.
  package struct Title: Hashable, Sendable {
    /// The line without the sum.
    fileprivate let words: String
    private let amount: Amount?

    fileprivate static let step = "step "
    fileprivate static let container = "container "
    private static let gap = ": "

    init(_ words: String, amount: Amount?) {
      self.words = words
      self.amount = amount
    }

    /// The title of a container beside the app's.
    init(container identifier: String, isGroup: Bool, amount: Amount?) {
      let kind = isGroup ? "a group" : "an extension"
      self.init("\(Self.container)\(identifier), of \(kind)", amount: amount)
    }

    /// Reads a title.
    init(_ text: String) {
      let end = text.lastIndex(of: ":") ?? text.endIndex
      let sum = text[end...]
      let amount = sum.hasPrefix(Self.gap) ? Amount(sum.dropFirst(Self.gap.count)) : nil
      // A number alone belongs to the words, such as the version in `updateApp 2: 5`.
      self.amount = amount?.form == .bytes ? nil : amount
      self.words = self.amount == nil ? text : String(text[..<end])
    }

    fileprivate var text: String { words + (amount.map { Self.gap + $0.description } ?? "") }

    /// Which step it is, `step 4`.
    package var step: String {
      words.split(separator: " ", maxSplits: 2).prefix(2).joined(separator: " ")
    }

    var number: Int? { Int(words.split(separator: " ", maxSplits: 2).dropFirst().first ?? "") }

    /// The words without the step's number.
    var summary: String { String(words.trimmingPrefix(/step \d+\s/)) }
  }

  /// An item and what a golden file says of it.
  package struct Item: Hashable, Sendable {
    package enum Presence: Character, Sendable {
      case present = "+"
      case absent = "-"
    }

    package let presence: Presence
    /// The path, escaped; a directory's ends with a slash.
    package let name: String
    package var facts: Facts

    private static let gap = "  "

    init(_ presence: Presence, _ name: String, _ facts: Facts) {
      self.presence = presence
      self.name = name
      self.facts = facts
    }

    package var isDirectory: Bool { name.last == "/" }

    package func renamed(_ name: String) -> Item { Item(presence, name, facts) }

    /// How many ends of a name are tried, so that long lines take little time.
    private static let mostEnds = 8

    /// Reads the line of an item; nil for any other line.
    ///
    /// Two spaces end a name, but may be in one too: if what follows a name is not in the notation,
    /// the name is longer.
    fileprivate init?(_ text: some StringProtocol) {
      guard let presence = text.first.flatMap(Presence.init(rawValue:)),
        text.dropFirst().first == " "
      else { return nil }
      let rest = Substring(text.dropFirst(2))
      let ends = rest.ranges(of: Self.gap)
      guard let first = ends.first else {
        self.init(presence, String(rest), Facts())
        return
      }
      for end in ends.suffix(Self.mostEnds) {
        let facts = Facts(rest[end.upperBound...])
        guard facts.areKnown else { continue }
        self.init(presence, String(rest[..<end.lowerBound]), facts)
        return
      }
      self.init(presence, String(rest[..<first.lowerBound]), Facts(rest[first.upperBound...]))
    }

    /// How many bytes a line with an item's name has at most: each byte of a path may be escaped.
    private static let longestWithName = 20_000

    /// The names that the item may have, without the slash of a directory, the longest first.
    ///
    /// A name that has two spaces in it may look like a shorter one with a size.
    var possibleNames: [String] {
      let text = Content.item(self).description
      guard text.utf8.count <= Self.longestWithName else { return [] }
      let parts = text.dropFirst(2).split(separator: Self.gap, omittingEmptySubsequences: false)
      return parts.indices.reversed().map { end in
        let name = parts[...end].joined(separator: Self.gap)
        return name.last == "/" ? String(name.dropLast()) : name
      }
    }

    fileprivate func write(to text: inout String) {
      text.append(presence.rawValue)
      text += " "
      text += name
      func add(_ fact: String?) {
        guard let fact else { return }
        text += Self.gap
        text += fact
      }
      add(facts.amount?.description)
      add(facts.note?.description)
      if facts.count > 1 { add("×\(facts.count)") }
    }

    /// What a line says of an item after its name.
    package struct Facts: Hashable, Sendable {
      package var amount: Amount?
      package var note: Note?
      /// How many items have the line, whose sizes are summed.
      package var count = 1

      init(amount: Amount? = nil, note: Note? = nil) {
        self.amount = amount
        self.note = note
      }

      fileprivate init(_ words: Substring) {
        var parts = words.split(separator: gap, omittingEmptySubsequences: false)[...]
        if let amount = parts.first.flatMap({ Amount($0) }) {
          self.amount = amount
          parts.removeFirst()
        }
        if let last = parts.last, let count = Int(last.dropFirst()), count > 1, last == "×\(count)"
        {
          self.count = count
          parts.removeLast()
        }
        if !parts.isEmpty { note = Note(parts.joined(separator: gap)) }
      }

      fileprivate var areKnown: Bool { if case .other = note { false } else { true } }

      /// What lines have in common that become one.
      var withoutSizes: Facts { Facts(amount: amount?.withoutSizes, note: note) }
    }
  }

  /// A number of files, of bytes, or of both. A number that the form does not have is 0.
  package struct Amount: Hashable, Sendable {
    package enum Form: CaseIterable, Sendable {
      /// The size of a file.
      case bytes
      case files, filesAndBytes
      /// The bytes that a purge took.
      case taken
    }

    package let form: Form
    private(set) var files = 0
    package private(set) var bytes: Int64 = 0

    static func bytes(_ bytes: Int64) -> Amount { Amount(form: .bytes, bytes: bytes) }
    static func files(_ files: Int, bytes: Int64?) -> Amount {
      Amount(form: bytes == nil ? .files : .filesAndBytes, files: files, bytes: bytes ?? 0)
    }
    static func taken(_ bytes: Int64) -> Amount { Amount(form: .taken, bytes: bytes) }

    fileprivate var withoutSizes: Amount { Amount(form: form) }

    /// The sum of two amounts of one form.
    static func + (first: Amount, second: Amount) -> Amount {
      let (bytes, overflows) = first.bytes.addingReportingOverflow(second.bytes)
      return Amount(
        form: first.form, files: first.files + second.files, bytes: overflows ? .max : bytes)
    }
  }

  /// Why an item is there or not, or what it is.
  package enum Note: Hashable, Sendable, CustomStringConvertible {
    case plain(Plain)
    /// The system took the item; one that a purge took has an amount in place of this.
    case lost(Transcript.Fate)
    /// A backup leaves the item out; the words may name another item.
    case leftOut(ItemState, words: String)
    case other(String)

    package enum Plain: String, CaseIterable, Sendable {
      case link
      case ignoredMark = "marked, but backed up"
    }

    init(_ reason: BackupSet.LeftOutReason, naming name: (ContainerPath) -> String) {
      self = .leftOut(ItemState(.leftOut(reason)), words: reason.description(naming: name))
    }

    fileprivate init(_ words: String) {
      let reason = Self.reasons.first { start, _ in
        start.last == " " ? words.hasPrefix(start) : words == start
      }
      self =
        Self.others.first { $0.description == words }
        ?? reason.map { .leftOut($0.state, words: words) } ?? .other(words)
    }

    private static let others =
      Plain.allCases.map(Note.plain) + Transcript.Fate.allCases.map(Note.lost)

    /// What the words of each reason are, or begin with if they end in a space.
    private static let reasons: [(start: Substring, state: ItemState)] =
      BackupSet.LeftOutReason.examples.map { reason in
        let words = reason.description { _ in "" }
        return (words.prefix { $0 != "(" }, ItemState(.leftOut(reason)))
      }

    package var description: String {
      switch self {
      case .plain(let note): note.rawValue
      case .lost(.purged): "purged"
      case .lost(.notCarriedOver): "not carried over"
      case .lost(.notKept): "not kept"
      case .lost(.deletedWithApp): "deleted with the app"
      case .lost(.notRestored): "not restored"
      case .leftOut(_, let words), .other(let words): words
      }
    }
  }
}

extension GoldenDocument.Amount: CustomStringConvertible {
  package var description: String {
    switch form {
    case .bytes: "\(bytes)"
    case .files: files.counted("file")
    case .filesAndBytes: "\(files.counted("file")), \(Int(bytes).counted("byte"))"
    case .taken: "\(Int(bytes).counted("byte")) taken"
    }
  }

  /// Reads what follows an item's name or a title's words, by trying what the numbers in it are.
  fileprivate init?(_ words: some StringProtocol) {
    guard words.first?.isNumber == true else { return nil }
    let numbers = words.split { !$0.isNumber }.prefix(3).map { Int64($0) ?? -1 }
    guard let first = numbers.first, let last = numbers.last, numbers.count < 3 else { return nil }
    let readings = Form.allCases.lazy.flatMap { form in
      [(0, last), (first, 0), (first, last)].lazy.map {
        Self(form: form, files: Int($0), bytes: $1)
      }
    }
    guard let amount = readings.first(where: { $0.description == words }) else { return nil }
    self = amount
  }
}
