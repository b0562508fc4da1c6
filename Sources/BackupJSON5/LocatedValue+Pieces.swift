import BackupDiagnostics

extension LocatedValue {
  /// A value without what is in it, as it crosses to another process.
  package struct Piece: Codable, Hashable, Sendable {
    fileprivate enum Kind: String, Codable, Hashable, Sendable {
      case null, bool, number, string, array, object
    }

    fileprivate let kind: Kind
    /// A text, a number as it is written, or `true`.
    fileprivate let text: String
    /// How many values are in it; they follow.
    fileprivate let count: Int
    /// The line and column where it begins.
    fileprivate let place: [Int]
    /// Its key in an object; nil anywhere else.
    fileprivate let key: String?
    /// The line and column of the key.
    fileprivate let keyPlace: [Int]
  }

  /// The value and all in it, each before what is in it: flat, since a reader of nested values may
  /// refuse to go as deep.
  package static func pieces(of members: [Member]) -> [Piece] {
    members.flatMap { $0.value.pieces(key: $0.key, at: $0.keyPosition) }
  }

  /// The members of an object that pieces stand for; nil if they do not stand for one.
  package static func members(from pieces: [Piece]) -> [Member]? {
    var rest = pieces[...]
    var members: [Member] = []
    while !rest.isEmpty {
      guard let member = member(from: &rest) else { return nil }
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

  /// The next value with its key.
  private static func member(from rest: inout ArraySlice<Piece>) -> Member? {
    guard let first = rest.first, let value = value(from: &rest) else { return nil }
    return Member(
      key: first.key ?? "", keyPosition: position(first.keyPlace) ?? value.position, value: value)
  }

  private static func value(from rest: inout ArraySlice<Piece>) -> LocatedValue? {
    guard let piece = rest.popFirst(), let position = position(piece.place) else { return nil }
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
        guard let value = value(from: &rest) else { return nil }
        values.append(value)
      }
      kind = .array(values)
    case .object:
      var members: [Member] = []
      for _ in 0..<max(0, piece.count) {
        guard let member = member(from: &rest) else { return nil }
        members.append(member)
      }
      kind = .object(members)
    }
    return LocatedValue(kind: kind, position: position)
  }

  private static func position(_ numbers: [Int]) -> SourcePosition? {
    numbers.count == 2 ? SourcePosition(line: numbers[0], column: numbers[1]) : nil
  }
}
