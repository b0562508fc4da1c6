import BackupDiagnostics
package import BackupFileTree

/// The form of a name in which a part varies between runs, such as `{uuid}.mp4` or
/// `log {date}.txt`.
package struct NameForm: Hashable, Sendable {
  /// The kind of a part that varies. Its raw value is the word in braces.
  enum VaryingPart: String, CaseIterable, Hashable, Sendable {
    /// A UUID, in either case.
    case uuid
    /// A date, with or without a time: `2026-11-22`, `20261122T101500Z`.
    case date
    case number
    /// Hexadecimal digits, in either case.
    case hex
    /// At least one character of any kind.
    case any

    var placeholder: String { "{\(rawValue)}" }
  }

  package let text: String
  private let pieces: [FormPiece]

  /// Creates a form from a text that has a word in braces for each part that varies.
  init(_ text: String) throws(FormMistake) {
    var pieces: [FormPiece] = []
    var start = text.unicodeScalars.startIndex
    var remainingText: Substring.UnicodeScalarView { text.unicodeScalars[start...] }
    for closingBrace in text.unicodeScalars.indices where text.unicodeScalars[closingBrace] == "}" {
      guard let openingBrace = text.unicodeScalars[start..<closingBrace].lastIndex(of: "{") else {
        continue
      }
      let word = String(text.unicodeScalars[openingBrace..<closingBrace].dropFirst())
      guard let varyingPart = VaryingPart(rawValue: word) else {
        let advice = NearestWord.advice(
          for: "{\(word)}", in: VaryingPart.allCases.map(\.placeholder))
        throw FormMistake(message: "unknown form '{\(word.escapedExcerpt)}'; \(advice)")
      }
      pieces += [.text(remainingText[..<openingBrace])] + varyingPart.pieces
      start = text.unicodeScalars.index(after: closingBrace)
    }
    pieces.append(.text(remainingText))
    guard start > text.unicodeScalars.startIndex else {
      let words = VaryingPart.allCases.map(\.placeholder).joined(separator: ", ")
      throw FormMistake(
        message: "nothing varies in '\(text.escapedExcerpt)'; write one of \(words) in it")
    }
    guard !text.utf8.contains(where: { [0, ContainerPath.separator].contains($0) }) else {
      throw FormMistake(message: "'\(text.escapedExcerpt)' is not a file name: remove '/' and NUL")
    }
    self.text = text
    self.pieces = pieces
  }

  /// Returns true if a name has this form. The time grows only with the lengths of the name and the
  /// form, because the search never goes back.
  package func matches(_ name: ContainerPath.Component) -> Bool {
    let bytes = name.bytes
    return FormPiece.endIndices(of: pieces, in: bytes, from: [0]).contains(bytes.count)
  }

  /// Returns a name or a path with a word in braces for each part that looks random: a UUID, a date
  /// or a long number.
  package static func replacingRandomParts(_ name: String) -> String {
    let parts = NamePart.parts(of: name)
    guard parts.contains(where: \.isRandom) else { return name }
    return parts.map { part in
      part.isRandom ? part.varyingPart?.placeholder ?? part.string : part.string
    }.joined()
  }
}

extension NameForm.VaryingPart {
  fileprivate var pieces: [FormPiece] {
    let longest = ContainerPath.Component.longestName
    return switch self {
    case .uuid: FormPiece.uuid
    case .date: FormPiece.date
    case .number: [.digits(1...longest)]
    case .hex: [.hexDigits(1...longest)]
    case .any: [.anything]
    }
  }
}

/// A piece of a form: literal bytes, or bytes of one kind. The range of a case says how many bytes
/// there can be.
enum FormPiece: Hashable, Sendable {
  case literal([UInt8])
  case digits(ClosedRange<Int>)
  /// Hexadecimal digits, in either case.
  case hexDigits(ClosedRange<Int>)
  /// At least one byte of any kind.
  case anything
  /// One of these characters of ASCII.
  case one(of: String)
  case optional([FormPiece])

  static func text(_ text: Substring.UnicodeScalarView) -> FormPiece {
    .literal(Array(Substring(text).utf8))
  }

  static let uuid: [FormPiece] =
    [.hexDigits(8...8)]
    + Array(repeating: [.one(of: "-"), .hexDigits(4...4)], count: 3).joined()
    + [.one(of: "-"), .hexDigits(12...12)]

  /// A year, a month and a day, with an optional time and time zone. Separators are optional too.
  static let date: [FormPiece] = [
    .digits(4...4), separator, twoDigits, separator, twoDigits,
    .optional([
      .optional([.one(of: "T _-."), .optional([.one(of: "a"), .one(of: "t"), .one(of: " ")])]),
      twoDigits, separator, twoDigits,
      .optional([separator, twoDigits, .optional([.optional([.one(of: ".,")]), .digits(1...9)])]),
      .optional([.one(of: "Z")]), .optional([.one(of: "+-"), twoDigits, separator, twoDigits]),
    ]),
  ]

  /// A month, a day, an hour, a minute or a second.
  private static let twoDigits = FormPiece.digits(2...2)
  private static let separator = FormPiece.optional([.one(of: "-_.:")])

  /// Returns the indices at which consecutive pieces can end, if the first begins at one of
  /// `starts`.
  static func endIndices(of pieces: [FormPiece], in bytes: [UInt8], from starts: Set<Int>) -> Set<
    Int
  > {
    pieces.reduce(starts) { starts, piece in
      Set(starts.flatMap { piece.endIndices(in: bytes, from: $0) })
    }
  }

  /// Returns the indices at which this piece can end if it begins at `start`.
  private func endIndices(in bytes: [UInt8], from start: Int) -> Set<Int> {
    let tail = bytes[start...]
    return switch self {
    case .literal(let text): tail.starts(with: text) ? [start + text.count] : []
    case .digits(let permittedCounts): Self.endIndices(of: tail, permittedCounts, where: \.isDigit)
    case .hexDigits(let permittedCounts):
      Self.endIndices(of: tail, permittedCounts, where: \.isHexDigit)
    case .anything: Self.endIndices(of: tail, 1...max(1, tail.count)) { _ in true }
    case .one(let choices): Self.endIndices(of: tail, 1...1, where: choices.utf8.contains)
    case .optional(let pieces): Self.endIndices(of: pieces, in: bytes, from: [start]).union([start])
    }
  }

  /// Returns the indices at which a sequence of matching bytes can end, if it begins at the start
  /// of `tail`. The sequence can have the lengths in `permittedCounts`.
  private static func endIndices(
    of tail: ArraySlice<UInt8>, _ permittedCounts: ClosedRange<Int>,
    where isMatching: (UInt8) -> Bool
  ) -> Set<Int> {
    let matchingCount = tail.prefix(while: isMatching).count
    guard matchingCount >= permittedCounts.lowerBound else { return [] }
    return Set(
      (permittedCounts.lowerBound...min(matchingCount, permittedCounts.upperBound)).map {
        tail.startIndex + $0
      })
  }
}

extension UInt8 {
  var isDigit: Bool { (0x30...0x39).contains(self) }

  var isHexDigit: Bool { isDigit || (0x61...0x66).contains(self | 0x20) }

  fileprivate var isAlphanumeric: Bool { isDigit || (0x61...0x7A).contains(self | 0x20) }
}

/// A part of an item's actual name: literal text, or text that seems to vary.
private struct NamePart {
  let text: ArraySlice<UInt8>
  /// The kind of text that seems to vary; nil for literal text.
  var varyingPart: NameForm.VaryingPart?
  /// True if a letter is before or after the part.
  var isBesideLetter = false

  var string: String { String(decoding: text, as: UTF8.self) }

  /// True if the part looks random by itself: a UUID, a date, hexadecimal digits, a word in braces,
  /// or a number of at least six digits that is not beside a letter.
  var isRandom: Bool {
    varyingPart != nil && (varyingPart != .number || text.count >= 6 && !isBesideLetter)
  }

  static func parts(of name: String) -> [NamePart] {
    let bytes = Array(name.utf8)
    var parts: [NamePart] = []
    var (start, index) = (0, 0)
    while index < bytes.count {
      guard let part = NamePart(varyingIn: bytes, at: index) else {
        index += 1
        continue
      }
      if start < index { parts.append(NamePart(text: bytes[start..<index])) }
      parts.append(part)
      (start, index) = (part.text.endIndex, part.text.endIndex)
    }
    return start < bytes.count ? parts + [NamePart(text: bytes[start...])] : parts
  }

  private init(text: ArraySlice<UInt8>) { self.text = text }

  /// Creates the part that begins at `start` and seems to vary; nil if the text there does not seem
  /// to vary.
  private init?(varyingIn bytes: [UInt8], at start: Int) {
    let tail = bytes[start...]
    if bytes[start] == UInt8(ascii: "{") {
      let matchingPart = NameForm.VaryingPart.allCases.first {
        tail.starts(with: $0.placeholder.utf8)
      }
      guard let matchingPart else { return nil }
      (text, varyingPart) = (tail.prefix(matchingPart.placeholder.utf8.count), matchingPart)
      return
    }
    guard bytes[start].isHexDigit else { return nil }
    if tail.dropFirst(8).first == UInt8(ascii: "-"),
      let end = FormPiece.endIndices(of: FormPiece.uuid, in: bytes, from: [start]).first
    {
      (text, varyingPart) = (bytes[start..<end], .uuid)
    } else if let end = Self.endOfDate(in: bytes, from: start) {
      (text, varyingPart) = (bytes[start..<end], .date)
    } else {
      let isInWord = start > 0 && bytes[start - 1].isAlphanumeric
      let word = tail.prefix { $0.isAlphanumeric }
      let digits = tail.prefix { $0.isDigit }
      if !isInWord, word.count >= 6, digits.count < word.count, word.isHexadecimal {
        (text, varyingPart) = (word, .hex)
      } else if !digits.isEmpty {
        (text, varyingPart) = (digits, .number)
        isBesideLetter = isInWord || digits.count < word.count
      } else {
        return nil
      }
    }
  }

  /// Returns the end of the longest date that begins at an index; nil for no date. A time after the
  /// date counts as part of the date.
  private static func endOfDate(in bytes: [UInt8], from start: Int) -> Int? {
    guard ["19", "20"].contains(where: { bytes[start...].starts(with: $0.utf8) }),
      start == 0 || !bytes[start - 1].isDigit
    else { return nil }
    let endIndices = FormPiece.endIndices(of: FormPiece.date, in: bytes, from: [start]).filter {
      end in
      (end == bytes.count || !bytes[end].isDigit) && isPlausibleDate(bytes[start..<end])
    }
    return endIndices.max()
  }

  /// Returns true if the digits after the year can be a month, a day, an hour and a minute.
  private static func isPlausibleDate(_ text: ArraySlice<UInt8>) -> Bool {
    let digits: [Int] = text.filter(\.isDigit).map { Int($0 - 0x30) }
    let ranges: [ClosedRange<Int>] = [1...12, 1...31, 0...23, 0...59]
    let indices = stride(from: 4, to: min(digits.count, 12), by: 2)
    return zip(indices, ranges).allSatisfy { index, range in
      range.contains(digits[index] * 10 + digits[index + 1])
    }
  }
}

extension ArraySlice<UInt8> {
  /// True if all bytes are hexadecimal digits, at least one is a decimal digit, and all letters
  /// have the same case.
  fileprivate var isHexadecimal: Bool {
    allSatisfy(\.isHexDigit) && contains { $0.isDigit }
      && Set(lazy.filter { !$0.isDigit }.map { $0 & 0x20 }).count == 1
  }
}
