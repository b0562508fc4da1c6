package import BackupDiagnostics

/// A JSON5 value with its position in its file.
package struct LocatedValue: Hashable, Sendable {
  package var kind: Kind

  package var position: SourcePosition

  package init(kind: Kind, position: SourcePosition) {
    self.kind = kind
    self.position = position
  }

  package enum Kind: Hashable, Sendable {
    case null
    case bool(Bool)
    /// A number, including `Infinity` and `NaN`.
    case number(JSON5Number)
    /// A quoted string, with its escapes resolved.
    case string(String)
    /// The values between `[` and `]`, in the order of the file.
    case array([LocatedValue])
    /// The members between `{` and `}`, in the order of the file, duplicate keys included.
    case object([Member])
  }

  /// Returns true if any string or key in the value satisfies a condition.
  package func containsText(_ condition: (String) -> Bool) -> Bool {
    switch kind {
    case .null, .bool, .number: false
    case .string(let text): condition(text)
    case .array(let values): values.contains { $0.containsText(condition) }
    case .object(let members):
      members.contains { condition($0.key) || $0.value.containsText(condition) }
    }
  }

  package struct Member: Hashable, Sendable {
    /// The key, with its escapes resolved.
    package var key: String

    /// The position of the key; for a quoted key, of its opening quote.
    package var keyPosition: SourcePosition

    package var value: LocatedValue
  }

  /// The value as JSON5 on one line.
  package var singleLineText: String {
    switch kind {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let number): number.text
    case .string(let text): Self.quoted(text)
    case .array(let values): "[\(values.map(\.singleLineText).joined(separator: ", "))]"
    case .object(let members):
      members.isEmpty ? "{}" : "{ \(members.map(\.singleLineText).joined(separator: ", ")) }"
    }
  }

  /// The object as the text of a JSON5 file.
  ///
  /// A member has one line, unless its value is an array, or an object that does not fit on the
  /// line. Each element or member of such a value has a line of its own.
  package var fileText: String {
    let lines = members.map { member in
      func memberText(_ open: String, _ elements: [String], _ close: String) -> String {
        "  \(member.writtenKey): \(open)\n\(elements.map { "    \($0),\n" }.joined())  \(close),\n"
      }
      return switch member.value.kind {
      case .array(let values): memberText("[", values.map(\.singleLineText), "]")
      case .object(let innerMembers) where member.singleLineText.count > 90:
        memberText("{", innerMembers.map(\.singleLineText), "}")
      default: "  \(member.singleLineText),\n"
      }
    }
    return "{\n\(lines.joined())}\n"
  }

  /// Returns a text in quotes. Escapes quotes, backslashes, line ends, control characters and the
  /// byte order mark.
  fileprivate static func quoted(_ text: String) -> String {
    var quotedText = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quotedText += "\\\(scalar)"
      case "\n": quotedText += "\\n"
      case let other where other.value < 0x20 || 0x7F...0x9F ~= other.value:
        quotedText += "\\u" + EscapedText.hexadecimal(other.value, digits: 4)
      case "\u{2028}", "\u{2029}", "\u{FEFF}":
        quotedText += "\\u" + EscapedText.hexadecimal(scalar.value, digits: 4)
      default: quotedText.unicodeScalars.append(scalar)
      }
    }
    return "\"\(quotedText)\""
  }

  /// A value without its nested values, encoded for a message to the app's process.
  package struct Piece: Codable, Hashable, Sendable {
    fileprivate enum Kind: String, Codable, Hashable, Sendable {
      case null, bool, number, string, array, object
    }

    fileprivate let kind: Kind
    /// The string, the number as it is written, or `true` or `false`.
    fileprivate let text: String
    /// The number of elements or members. Their pieces follow this piece.
    fileprivate let count: Int
    /// The line and column of the value.
    fileprivate let place: [Int]
    /// The key, if the value is a member of an object; otherwise nil.
    fileprivate let key: String?
    /// The line and column of the key; empty without a key.
    fileprivate let keyPlace: [Int]
  }

  /// Returns the members as a flat list, because decoders may refuse deeply nested values. The
  /// piece of a value comes before the pieces of its nested values.
  package static func pieces(of members: [Member]) -> [Piece] {
    members.flatMap { $0.value.pieces(key: $0.key, at: $0.keyPosition) }
  }

  /// Returns the members that ``pieces(of:)`` has turned into pieces. Returns nil if the pieces are
  /// malformed.
  package static func members(from pieces: [Piece]) -> [Member]? {
    var remainingPieces = pieces[...]
    var members: [Member] = []
    while !remainingPieces.isEmpty {
      guard let member = member(from: &remainingPieces) else { return nil }
      members.append(member)
    }
    return members
  }

  private func pieces(key: String?, at keyPosition: SourcePosition?) -> [Piece] {
    func piece(_ kind: Piece.Kind, _ text: String = "", _ count: Int = 0) -> Piece {
      Piece(
        kind: kind, text: text, count: count, place: [position.line, position.column], key: key,
        keyPlace: keyPosition.map { [$0.line, $0.column] } ?? [])
    }
    return switch kind {
    case .null: [piece(.null)]
    case .bool(let value): [piece(.bool, "\(value)")]
    case .number(let number): [piece(.number, number.text)]
    case .string(let text): [piece(.string, text)]
    case .array(let values):
      [piece(.array, "", values.count)] + values.flatMap { $0.pieces(key: nil, at: nil) }
    case .object(let members): [piece(.object, "", members.count)] + Self.pieces(of: members)
    }
  }

  private static func member(from remainingPieces: inout ArraySlice<Piece>) -> Member? {
    guard let firstPiece = remainingPieces.first, let value = value(from: &remainingPieces) else {
      return nil
    }
    return Member(
      key: firstPiece.key ?? "", keyPosition: position(firstPiece.keyPlace) ?? value.position,
      value: value)
  }

  private static func value(from remainingPieces: inout ArraySlice<Piece>) -> LocatedValue? {
    guard let piece = remainingPieces.popFirst(), let position = position(piece.place) else {
      return nil
    }
    let kind: Kind
    switch piece.kind {
    case .null: kind = .null
    case .bool: kind = .bool(piece.text == "true")
    case .string: kind = .string(piece.text)
    case .number:
      guard let number = JSON5Number(literal: piece.text) else { return nil }
      kind = .number(number)
    case .array:
      var values: [LocatedValue] = []
      for _ in 0..<max(0, piece.count) {
        guard let value = value(from: &remainingPieces) else { return nil }
        values.append(value)
      }
      kind = .array(values)
    case .object:
      var members: [Member] = []
      for _ in 0..<max(0, piece.count) {
        guard let member = member(from: &remainingPieces) else { return nil }
        members.append(member)
      }
      kind = .object(members)
    }
    return LocatedValue(kind: kind, position: position)
  }

  private static func position(_ lineAndColumn: [Int]) -> SourcePosition? {
    lineAndColumn.count == 2
      ? SourcePosition(line: lineAndColumn[0], column: lineAndColumn[1]) : nil
  }
}

/// Functions that create, change and look up values. A value that code creates has the position
/// `.start`, because it is in no file.
extension LocatedValue {
  package static func object(_ members: [(key: String, value: LocatedValue)]) -> LocatedValue {
    LocatedValue(
      kind: .object(
        members.map { Member(key: $0.key, keyPosition: .start, value: $0.value) }),
      position: .start)
  }

  package static func string(_ text: String) -> LocatedValue {
    LocatedValue(kind: .string(text), position: .start)
  }

  package static func array(_ elements: [LocatedValue]) -> LocatedValue {
    LocatedValue(kind: .array(elements), position: .start)
  }

  package static func number(_ number: Int) -> LocatedValue {
    LocatedValue(
      kind: JSON5Number(literal: "\(number)").map(Kind.number) ?? .null, position: .start)
  }

  /// Returns the object with a new last member. Removes all other members with the same key.
  package func setting(_ key: String, to value: LocatedValue) -> LocatedValue {
    let member = Member(key: key, keyPosition: value.position, value: value)
    let others = members.filter { $0.key != key }
    return LocatedValue(kind: .object(others + [member]), position: position)
  }

  /// Sets a member of the object as ``setting(_:to:)`` does. Changes nothing if `value` is nil.
  package mutating func set(_ key: String, _ value: LocatedValue?) {
    if let value { self = setting(key, to: value) }
  }

  package func removing(_ key: String) -> LocatedValue {
    LocatedValue(kind: .object(members.filter { $0.key != key }), position: position)
  }

  /// The value of the first member with a key; nil if there is no such member, or if the value is
  /// not an object.
  package subscript(key: String) -> LocatedValue? {
    guard case .object(let members) = kind else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The members of an object; empty for any other value.
  package var members: [Member] {
    if case .object(let members) = kind { members } else { [] }
  }
}

extension LocatedValue.Member {
  /// The member as JSON5 on one line.
  package var singleLineText: String { "\(writtenKey): \(value.singleLineText)" }

  /// The key as JSON5, in quotes if it needs them.
  fileprivate var writtenKey: String {
    let needsNoQuotes =
      key.utf8.first.map { !(0x30...0x39).contains($0) } == true
      && key.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
          || (0x61...0x7A).contains(byte) || byte == 0x5F || byte == 0x24
      }
    return needsNoQuotes ? key : LocatedValue.quoted(key)
  }
}
