import BackupDiagnostics

extension JSON5Reader {
  /// What stands at the next byte, for the middle of a sentence.
  var found: String {
    guard let scalar = text.scalar(at: offset) else { return "the end of the input" }
    if scalar.isIdentifierStart || scalar.properties.generalCategory == .decimalNumber {
      return "'\(excerpt(from: offset, \.isIdentifierPart))'"
    }
    if scalar == "\"" || scalar == "'" { return "a string" }
    return Self.describe(scalar)
  }

  /// What character is next, even if it begins a word or string.
  var foundCharacter: String {
    text.scalar(at: offset).map(Self.describe) ?? "the end of the input"
  }

  /// The characters from an offset on that satisfy a condition, cut if they are many.
  func excerpt(from start: Int, _ isIncluded: (Unicode.Scalar) -> Bool) -> String {
    var (characters, end) = (String.UnicodeScalarView(), start)
    while let scalar = text.scalar(at: end), isIncluded(scalar) {
      guard characters.count < 40 else { return String(characters) + "…" }
      characters.append(scalar)
      end += UTF8.width(scalar)
    }
    return String(characters)
  }

  /// A key or word as a message shows it: on one line, cut if it is long.
  static func shown(_ word: String) -> String {
    let head = word.unicodeScalars.prefix(40)
    let isCut = head.endIndex < word.unicodeScalars.endIndex
    let visible = head.map { isVisible($0) || $0 == " " ? String($0) : $0.escaped(asASCII: true) }
    return "'\(visible.joined())\(isCut ? "…" : "")'"
  }

  /// A character in quotes if it can be seen, and by its code point unless it is ASCII.
  private static func describe(_ scalar: Unicode.Scalar) -> String {
    if (0x21...0x7E).contains(scalar.value) { return "'\(scalar)'" }
    let digits = String(scalar.value, radix: 16, uppercase: true)
    let code = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    return isVisible(scalar) ? "'\(scalar)' (\(code))" : "the character \(code)"
  }

  /// Whether a character shows on its own when printed.
  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .unassigned, .privateUse, .surrogate, .lineSeparator,
      .paragraphSeparator, .spaceSeparator, .nonspacingMark, .enclosingMark:
      false
    default: true
    }
  }
}

extension SourcePosition {
  /// The position in words, for the middle of a sentence.
  var inWords: String { "line \(line), column \(column)" }
}

extension Unicode.Scalar {
  /// Whether word processors put it in the place of a straight quotation mark.
  var isCurlyQuote: Bool {
    (0x2018...0x201F).contains(value) || value == 0xAB || value == 0xBB || value == 0x60
  }
}
