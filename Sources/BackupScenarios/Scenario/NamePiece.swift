/// A piece of a name: bytes that stand for themselves, or some of a kind.
enum NamePiece: Hashable, Sendable {
  /// Bytes that stand for themselves.
  case bytes([UInt8])
  /// As many decimal digits.
  case digits(ClosedRange<Int>)
  /// As many hexadecimal digits, in either case.
  case hexDigits(ClosedRange<Int>)
  /// At least one byte of any kind.
  case anything
  /// One of these characters of ASCII.
  case one(of: String)
  /// Other pieces, or nothing.
  case maybe([NamePiece])

  static func text(_ text: Substring.UnicodeScalarView) -> NamePiece {
    .bytes(Array(Substring(text).utf8))
  }
}

extension NamePiece {
  /// A UUID with its hyphens.
  static let uuid: [NamePiece] =
    [.hexDigits(8...8)]
    + Array(repeating: [.one(of: "-"), .hexDigits(4...4)], count: 3).joined()
    + [.one(of: "-"), .hexDigits(12...12)]

  /// A year, a month and a day, and then maybe a time and a zone; with signs between them or none.
  static let date: [NamePiece] = [
    .digits(4...4), between, twoDigits, between, twoDigits,
    .maybe([
      .maybe([.one(of: "T _-."), .maybe([.one(of: "a"), .one(of: "t"), .one(of: " ")])]),
      twoDigits, between, twoDigits,
      .maybe([between, twoDigits, .maybe([.maybe([.one(of: ".,")]), .digits(1...9)])]),
      .maybe([.one(of: "Z")]), .maybe([.one(of: "+-"), twoDigits, between, twoDigits]),
    ]),
  ]

  /// A month, a day, an hour, a minute or a second.
  private static let twoDigits = NamePiece.digits(2...2)
  /// A sign between two numbers, or none.
  private static let between = NamePiece.maybe([.one(of: "-_.:")])
}

extension NamePiece {
  /// Where pieces may end one after the other, if the first begins at one of `starts`.
  static func ends(of pieces: [NamePiece], in bytes: [UInt8], from starts: Set<Int>) -> Set<Int> {
    pieces.reduce(starts) { starts, piece in
      Set(starts.flatMap { piece.ends(in: bytes, from: $0) })
    }
  }

  /// Where this piece may end that begins at an index.
  private func ends(in bytes: [UInt8], from start: Int) -> Set<Int> {
    let rest = bytes[start...]
    return switch self {
    case .bytes(let text): rest.starts(with: text) ? [start + text.count] : []
    case .digits(let counts): Self.ends(of: rest, counts, where: \.isDigit)
    case .hexDigits(let counts): Self.ends(of: rest, counts, where: \.isHexDigit)
    case .anything: Self.ends(of: rest, 1...max(1, rest.count)) { _ in true }
    case .one(let choices): Self.ends(of: rest, 1...1, where: choices.utf8.contains)
    case .maybe(let pieces): Self.ends(of: pieces, in: bytes, from: [start]).union([start])
    }
  }

  /// Where so many bytes of a kind may end that begin where `rest` does.
  private static func ends(
    of rest: ArraySlice<UInt8>, _ counts: ClosedRange<Int>, where isMeant: (UInt8) -> Bool
  ) -> Set<Int> {
    let most = rest.prefix(while: isMeant).count
    guard most >= counts.lowerBound else { return [] }
    return Set((counts.lowerBound...min(most, counts.upperBound)).map { rest.startIndex + $0 })
  }
}

extension UInt8 {
  var isDigit: Bool { (0x30...0x39).contains(self) }

  /// Whether it is a hexadecimal digit, in either case.
  var isHexDigit: Bool { isDigit || (0x61...0x66).contains(self | 0x20) }
}
