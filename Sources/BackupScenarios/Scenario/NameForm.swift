import BackupDiagnostics
package import BackupFileTree

/// The form of names of which a part is another in every run: `{uuid}.mp4`, `log {date}.txt`.
package struct NameForm: Hashable, Sendable {
  /// What may vary in a name.
  enum Varying: String, CaseIterable, Hashable, Sendable {
    /// A UUID, in either case.
    case uuid
    /// A day, and a time of it or none: `2026-11-22`, `20261122T101500Z`.
    case date
    /// Decimal digits.
    case number
    /// Hexadecimal digits, in either case.
    case hex
    /// At least one character of any kind.
    case any

    /// The word as a form has it.
    var inBraces: String { "{\(rawValue)}" }
  }

  /// A part of a form.
  private enum Part: Hashable, Sendable {
    /// Bytes that stand for themselves.
    case literal([UInt8])
    /// Something that varies.
    case varying(Varying)
  }

  /// The form as a scenario file has it.
  package let text: String
  /// Its parts, from the first to the last.
  private let parts: [Part]

  /// The form of a text.
  ///
  /// - Parameter text: A name, with a word in braces for each part that varies.
  /// - Throws: ``Mistake`` that says what to write instead.
  init(_ text: String) throws(Mistake) {
    var parts: [Part] = []
    var start = text.unicodeScalars.startIndex
    var rest: Substring.UnicodeScalarView { text.unicodeScalars[start...] }
    for end in text.unicodeScalars.indices where text.unicodeScalars[end] == "}" {
      guard let brace = text.unicodeScalars[start..<end].lastIndex(of: "{") else { continue }
      let word = String(text.unicodeScalars[brace..<end].dropFirst())
      guard let varying = Varying(rawValue: word) else {
        let advice = NearestWord.advice(for: "{\(word)}", in: Varying.allCases.map(\.inBraces))
        throw Mistake(description: "there is no form '{\(word.shown)}'; \(advice)")
      }
      parts += Self.literal(rest[..<brace]) + [.varying(varying)]
      start = text.unicodeScalars.index(after: end)
    }
    parts += Self.literal(rest)
    guard !parts.allSatisfy({ if case .literal = $0 { true } else { false } }) else {
      let words = Varying.allCases.map(\.inBraces).joined(separator: ", ")
      throw Mistake(description: "nothing varies in '\(text.shown)'; write one of \(words) in it")
    }
    guard !text.utf8.contains(where: { [0, ContainerPath.separator].contains($0) }) else {
      throw Mistake(description: "'\(text.shown)' is no name: leave out '/' and NUL")
    }
    self.text = text
    self.parts = parts
  }

  /// Why a text is no form.
  struct Mistake: Error {
    /// What is wrong with it and what to write instead.
    let description: String
  }

  /// A part that stands for itself, or none.
  private static func literal(_ text: Substring.UnicodeScalarView) -> [Part] {
    text.isEmpty ? [] : [.literal(Array(Substring(text).utf8))]
  }
}

extension NameForm {
  /// Whether a name has this form; takes no longer than the form and the name are long.
  package func matches(_ name: ContainerPath.Component) -> Bool {
    let bytes = name.bytes
    var ends: Set<Int> = [0]
    for part in parts { ends = Set(ends.flatMap { Self.ends(of: part, in: bytes, from: $0) }) }
    return ends.contains(bytes.count)
  }

  /// Where a part may end that begins at an index.
  private static func ends(of part: Part, in bytes: [UInt8], from start: Int) -> [Int] {
    switch part {
    case .literal(let text):
      bytes[start...].starts(with: text) ? [start + text.count] : []
    case .varying(.number):
      run(in: bytes, from: start, where: \.isDigit)
    case .varying(.hex):
      run(in: bytes, from: start, where: \.isHexDigit)
    case .varying(.any):
      Array(start + 1...max(start + 1, bytes.count)).filter { $0 <= bytes.count }
    case .varying(.uuid):
      Array(DatePiece.ends(of: DatePiece.uuid[...], in: bytes, from: start))
    case .varying(.date):
      Array(DatePiece.ends(of: DatePiece.date[...], in: bytes, from: start))
    }
  }

  /// Where a run of at least one byte of a kind may end.
  private static func run(
    in bytes: [UInt8], from start: Int, where isMeant: (UInt8) -> Bool
  ) -> [Int] {
    let count = bytes[start...].prefix(while: isMeant).count
    return count == 0 ? [] : Array(start + 1...start + count)
  }
}

/// A piece of a date or of a UUID as names have them.
private indirect enum DatePiece: Sendable {
  /// So many decimal digits.
  case digits(Int)
  /// So many hexadecimal digits.
  case hex(Int)
  /// One of these bytes.
  case one(of: String)
  /// Other pieces, or nothing.
  case maybe([DatePiece])

  /// A UUID with its hyphens.
  static let uuid: [DatePiece] = [
    .hex(8), .one(of: "-"), .hex(4), .one(of: "-"), .hex(4), .one(of: "-"), .hex(4), .one(of: "-"),
    .hex(12),
  ]

  /// A year, a month and a day, and then maybe a time and a zone; with signs between them or none.
  static let date: [DatePiece] = [
    .digits(4), between, .digits(2), between, .digits(2),
    .maybe([
      .maybe([.one(of: "T _-.")]), .maybe([.one(of: "at")]), .digits(2), between, .digits(2),
      .maybe([between, .digits(2), .maybe([.one(of: ".,"), .digits(3)])]),
      .maybe([.one(of: "Z")]), .maybe([.one(of: "+-"), .digits(2), between, .digits(2)]),
    ]),
  ]

  /// A sign between two numbers, or none.
  private static let between = DatePiece.maybe([.one(of: "-_.:")])

  /// Where pieces may end that begin at an index.
  static func ends(
    of pieces: ArraySlice<DatePiece>, in bytes: [UInt8], from start: Int
  ) -> Set<Int> {
    guard let first = pieces.first else { return [start] }
    let ends: Set<Int> =
      switch first {
      case .digits(let count): run(of: count, in: bytes, from: start, where: \.isDigit)
      case .hex(let count): run(of: count, in: bytes, from: start, where: \.isHexDigit)
      case .one(let choices):
        start < bytes.count && choices.utf8.contains(bytes[start]) ? [start + 1] : []
      case .maybe(let inner): self.ends(of: inner[...], in: bytes, from: start).union([start])
      }
    return Set(ends.flatMap { self.ends(of: pieces.dropFirst(), in: bytes, from: $0) })
  }

  /// The end of just so many bytes of a kind; none where there are fewer.
  private static func run(
    of count: Int, in bytes: [UInt8], from start: Int, where isMeant: (UInt8) -> Bool
  ) -> Set<Int> {
    let end = start + count
    return end <= bytes.count && bytes[start..<end].allSatisfy(isMeant) ? [end] : []
  }
}

extension UInt8 {
  /// Whether it is a decimal digit.
  fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }

  /// Whether it is a hexadecimal digit, in either case.
  fileprivate var isHexDigit: Bool { isDigit || (0x61...0x66).contains(self | 0x20) }
}
