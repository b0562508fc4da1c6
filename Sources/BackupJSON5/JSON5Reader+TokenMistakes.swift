extension JSON5Reader {
  /// The input ends, or a byte stands, where a value must be.
  func missingValue() -> JSON5SyntaxError {
    let place = open.last.map { $0.isObject ? " for the key \(Self.shown($0.key))" : "" } ?? ""
    return mistake(
      at: offset, "Found \(found). Expected a value\(place); \(adviceForValue)")
  }

  /// A word stands where a value must be.
  func notAValue(_ word: String, at start: Int) -> JSON5SyntaxError {
    let advice =
      switch word.lowercased() {
      case "true", "yes", "on": "write true."
      case "false", "no", "off": "write false."
      case "null", "none", "nil", "undefined": "write null."
      case "nan": "write NaN."
      case "infinity", "inf": "write Infinity."
      case _ where isBareMember: "write '{' and '}' around the members."
      default: "put text in quotes."
      }
    return mistake(at: start, "Found \(Self.shown(word)). Expected a value; \(advice)")
  }

  /// Whether a colon follows the word just read outside all braces.
  private var isBareMember: Bool {
    open.isEmpty && text[offset] == UInt8(ascii: ":")
  }

  /// What to do about a byte that begins no value.
  private var adviceForValue: String {
    guard let scalar = text.scalar(at: offset) else { return "write one." }
    if scalar.isCurlyQuote { return "write a string in straight quotes, \" or '." }
    return switch scalar {
    case ",": "remove the comma or write a value before it."
    case "#", "/": Self.commentAdvice
    case "]", "}": "remove the bracket or write a value before it."
    case "\0": "save the file as UTF-8 if it is UTF-16."
    default: "write one, text in quotes."
    }
  }

  /// Something stands where a key must be that cannot begin one.
  func notAKey() -> JSON5SyntaxError {
    let scalar = text.scalar(at: offset) ?? " "
    let advice =
      switch scalar {
      case ",": "remove the comma."
      case ":": "write the key before the colon."
      case "{", "[": "write 'key:' before it."
      case "#", "/": Self.commentAdvice
      case _ where scalar.isCurlyQuote: "write straight quotes, \" or ', around the key."
      default: "put the key in quotes."
      }
    return mistake(at: offset, "Found \(found). Expected a key or '}'; \(advice)")
  }

  /// A number breaks off, or goes on with what no number has.
  func malformedNumber(at start: Int) -> JSON5SyntaxError {
    let token = excerpt(from: start) { $0.isIdentifierPart || $0.isNumberPunctuation }
    if token.unicodeScalars.first?.isIdentifierStart == true { return notAValue(token, at: start) }
    let digits = token.utf8.drop { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
    let isPadded = digits.first == UInt8(ascii: "0") && digits.dropFirst().first?.isDigit == true
    let advice = isPadded ? "remove the leading zero." : "correct it, or put text in quotes."
    return mistake(at: start, "Found '\(token)'. Expected a number; \(advice)")
  }

  /// A string has no closing quote on its line.
  func unclosedString(at opening: Int) -> JSON5SyntaxError {
    let quote = Character(Unicode.Scalar(text.bytes[opening]))
    return mistake(
      at: opening,
      "This string is not closed: found the end of "
        + "\(offset < text.count ? "the line" : "the input") in it. Expected \(quote); add it, or "
        + "end the line with '\\' to go on in the next one.")
  }

  /// A backslash is followed by an octal escape, which JSON5 has not.
  func octalEscape() -> JSON5SyntaxError {
    mistake(
      at: offset - 2,
      "Found a backslash before a digit. Expected an escape of JSON5; write '\\x' and two "
        + "digits for a character, or '\\\\' for a backslash.")
  }

  /// An escape has too few digits.
  func badEscape(at start: Int, digits: Int) -> JSON5SyntaxError {
    mistake(
      at: start,
      "Found \(foundCharacter) in an escape. Expected \(digits) digits of base 16 after "
        + "'\\\(digits == 2 ? "x" : "u")'; write all of them, or '\\\\' for a backslash.")
  }

  /// Half of a surrogate pair stands alone.
  func loneSurrogate(at start: Int) -> JSON5SyntaxError {
    mistake(
      at: start,
      "Found half of a surrogate pair. Expected a high half (D800 to DBFF) and then a low one "
        + "(DC00 to DFFF); write both, or the character itself.")
  }

  /// An escape in a key stands for what no key has there without quotes.
  func badKeyEscape(at start: Int) -> JSON5SyntaxError {
    mistake(
      at: start,
      "Found an escape that cannot stand in a key without quotes. Expected '\\u' and four "
        + "digits for a letter or digit; put the key in quotes.")
  }
}
