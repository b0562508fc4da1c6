import BackupDiagnostics

// The errors for mistakes in a file. Each says what is there, what was expected, and what to do.
extension JSON5Reader {
  private func mistake(at offset: Int, _ message: String) -> SyntaxError {
    SyntaxError(position: text.position(at: offset), message: message)
  }

  private var foundText: String { text.describedText(at: offset) }

  private static var commentAdvice: String { "begin a comment with '//'." }
  private static var bracesAdvice: String { "write '{' and '}' around the members." }

  func emptyInput() -> SyntaxError {
    mistake(at: offset, "The file is empty; 'backup-testing new ID' writes a template.")
  }

  func trailingContent() -> SyntaxError {
    let advice =
      switch text[offset] {
      case UInt8(ascii: "#"): Self.commentAdvice
      case UInt8(ascii: ":"): Self.bracesAdvice
      default: "remove what follows."
      }
    return mistake(
      at: offset,
      "Found \(foundText) after the end of the value. Expected the end of the file; \(advice)")
  }

  func tooDeep() -> SyntaxError {
    mistake(
      at: offset,
      "Found \(foundText) inside \(maximumDepth) nested arrays and objects. Expected at most "
        + "\(maximumDepth); nest less deeply.")
  }

  func unclosed(_ collection: OpenCollection) -> SyntaxError {
    mistake(
      at: offset,
      "Found the end of the file inside the '\(collection.openingBracket)' opened at "
        + "\(collection.position.inWords). Expected '\(collection.closingBracket)'; add it.")
  }

  func mismatched(_ collection: OpenCollection) -> SyntaxError {
    mistake(
      at: offset,
      "Found \(foundText) inside the '\(collection.openingBracket)' opened at "
        + "\(collection.position.inWords). Expected '\(collection.closingBracket)'; close that first."
    )
  }

  func missingComma() -> SyntaxError {
    guard let collection = enclosingCollections.last else { return trailingContent() }
    let valueBefore = collection.isObject ? "the value of \(collection.key.quoted)" : "a value"
    let looksLikeComment = text[offset] == UInt8(ascii: "#") || text[offset] == UInt8(ascii: "/")
    let quotes: [UInt8] = [UInt8(ascii: "\""), UInt8(ascii: "'")]
    let isAfterQuote = offset > 0 && quotes.contains(text.bytes[offset - 1])
    let advice =
      looksLikeComment
      ? Self.commentAdvice
      : isAfterQuote
        ? "a quote before it is missing or too many, or put a comma before it."
        : "put a comma before it."
    return mistake(
      at: offset,
      "Found \(foundText) after \(valueBefore). Expected ',' or '\(collection.closingBracket)'; \(advice)"
    )
  }

  func missingColon(after key: String) -> SyntaxError {
    let advice =
      switch text[offset] {
      case UInt8(ascii: "="): "write ':' instead of '='."
      case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "*"),
        UInt8(ascii: "@"):
        "put a key in quotes unless it has only letters, digits, '$' and '_'."
      default: "put ':' and a value after the key."
      }
    return mistake(
      at: offset, "Found \(foundText) after the key \(key.quoted). Expected ':'; \(advice)")
  }

  func missingValue() -> SyntaxError {
    let purpose =
      enclosingCollections.last.map { $0.isObject ? " for the key \($0.key.quoted)" : "" } ?? ""
    return mistake(
      at: offset, "Found \(foundText). Expected a value\(purpose); \(adviceForValue)")
  }

  func notAValue(_ word: String, at start: Int) -> SyntaxError {
    let advice =
      switch word.lowercased() {
      case "true", "yes", "on": "write true."
      case "false", "no", "off": "write false."
      case "null", "none", "nil", "undefined": "write null."
      case "nan": "write NaN."
      case "infinity", "inf": "write Infinity."
      case _ where isMemberWithoutBraces: Self.bracesAdvice
      default: "put text in quotes."
      }
    return mistake(at: start, "Found \(word.quoted). Expected a value; \(advice)")
  }

  /// True if the file begins with a member without `{`, such as `name: "x"`. The reader has already
  /// read `name`.
  private var isMemberWithoutBraces: Bool {
    enclosingCollections.isEmpty && text[offset] == UInt8(ascii: ":")
  }

  private var adviceForValue: String {
    guard let scalar = text.scalar(at: offset) else { return "write a value." }
    if scalar.isWrongQuote { return "write a string in straight quotes, \" or '." }
    return switch scalar {
    case ",": "remove the comma or write a value before it."
    case "#", "/": Self.commentAdvice
    case "]", "}": "remove the bracket or write a value before it."
    case "\0": "save the file as UTF-8 if it is UTF-16."
    default: "write a value; put text in quotes."
    }
  }

  func notAKey() -> SyntaxError {
    let scalar = text.scalar(at: offset) ?? " "
    let advice =
      switch scalar {
      case ",": "remove the comma."
      case ":": "write the key before the colon."
      case "{", "[": "write a key and ':' before it."
      case "#", "/": Self.commentAdvice
      case _ where scalar.isWrongQuote: "write straight quotes, \" or ', around the key."
      default: "put the key in quotes."
      }
    return mistake(at: offset, "Found \(foundText). Expected a key or '}'; \(advice)")
  }

  func malformedNumber(at start: Int) -> SyntaxError {
    let token = text.excerpt(from: start) { $0.isIdentifierPart || $0.isNumberPunctuation }
    if token.unicodeScalars.first?.isIdentifierStart == true { return notAValue(token, at: start) }
    let digits = token.utf8.drop { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
    let hasLeadingZero =
      digits.first == UInt8(ascii: "0") && digits.dropFirst().first?.isDigit == true
    let advice = hasLeadingZero ? "remove the leading zero." : "correct it, or put text in quotes."
    return mistake(at: start, "Found '\(token)'. Expected a number; \(advice)")
  }

  func numberOutOfRange(at start: Int) -> SyntaxError {
    mistake(
      at: start,
      "This number is out of range. Expected a 64-bit floating-point number; write one that is "
        + "closer to 0 or, if it is between -1 and 1, further from 0.")
  }

  func unclosedComment(at start: Int) -> SyntaxError {
    mistake(at: start, "This comment is not closed. Expected '*/'; add it where it ends.")
  }

  func unclosedString(at quoteOffset: Int) -> SyntaxError {
    let quote = Character(Unicode.Scalar(text.bytes[quoteOffset]))
    return mistake(
      at: quoteOffset,
      "This string is not closed: found the end of "
        + "\(offset < text.count ? "the line" : "the file") in it. Expected \(quote); add it, or "
        + "end the line with '\\' to continue the string on the next line.")
  }

  func octalEscape() -> SyntaxError {
    mistake(
      at: offset - 2,
      "Found a backslash before a digit. Expected an escape of JSON5; write '\\x' and two "
        + "digits for a character, or '\\\\' for a backslash.")
  }

  func badEscape(at start: Int, digits: Int) -> SyntaxError {
    mistake(
      at: start,
      "Found \(text.characterDescription(at: offset)) in an escape. Expected \(digits) hexadecimal "
        + "digits after '\\\(digits == 2 ? "x" : "u")'; write all of them, or '\\\\' for a "
        + "backslash.")
  }

  func loneSurrogate(at start: Int) -> SyntaxError {
    mistake(
      at: start,
      "Found half of a surrogate pair. Expected a high half (D800 to DBFF) and then a low one "
        + "(DC00 to DFFF); write both, or the character itself.")
  }

  func badKeyEscape(at start: Int) -> SyntaxError {
    mistake(
      at: start,
      "Found an escape that is not allowed in a key without quotes. Expected '\\u' and four "
        + "hexadecimal digits of a letter or digit; put the key in quotes.")
  }
}

extension SourcePosition {
  fileprivate var inWords: String { "line \(line), column \(column)" }
}
