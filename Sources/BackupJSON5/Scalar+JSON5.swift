import BackupDiagnostics

extension Unicode.Scalar {
  /// For a character outside of ASCII, true if it is white space or a line end in JSON5.
  var isWideSpace: Bool {
    switch value {
    case 0xA0, 0xFEFF, 0x2028, 0x2029: true
    default: properties.generalCategory == .spaceSeparator
    }
  }

  /// True if an unquoted key can begin with the character: a letter, `$` or `_`.
  var isIdentifierStart: Bool {
    if isASCII { return isASCIILetter || self == "$" || self == "_" }
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .letterNumber:
      return true
    default: return false
    }
  }

  /// True if an unquoted key can continue with the character: also a digit, mark or joiner.
  var isIdentifierPart: Bool {
    if isIdentifierStart || value == 0x200C || value == 0x200D { return true }
    if isASCII { return UInt8(value).isDigit }
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .decimalNumber, .connectorPunctuation: return true
    default: return false
    }
  }

  var isNumberPunctuation: Bool { self == "+" || self == "-" || self == "." }

  /// True for typographic quotes, guillemets and the backtick, which users write for ' or ".
  var isWrongQuote: Bool {
    (0x2018...0x201F).contains(value) || value == 0xAB || value == 0xBB || value == 0x60
  }

  private var isASCIILetter: Bool {
    ("a"..."z").contains(self) || ("A"..."Z").contains(self)
  }

  /// Visible ASCII in quotes, another visible character in quotes with its code point, or else only the code point.
  var described: String {
    if (0x21...0x7E).contains(value) { return "'\(self)'" }
    let code = "U+" + EscapedText.hexadecimal(value, digits: 4)
    return isVisible ? "'\(self)' (\(code))" : "the character \(code)"
  }

  fileprivate var isVisible: Bool {
    switch properties.generalCategory {
    case .control, .format, .unassigned, .privateUse, .surrogate, .lineSeparator,
      .paragraphSeparator, .spaceSeparator, .nonspacingMark, .enclosingMark:
      false
    default: true
    }
  }
}

extension String {
  /// The key or word in quotes as a message shows it: on one line, cut if it is long.
  var quoted: String {
    let head = unicodeScalars.prefix(40)
    let isCut = head.endIndex < unicodeScalars.endIndex
    let visible = head.map { $0.isVisible || $0 == " " ? String($0) : $0.escaped(asASCII: true) }
    return "'\(visible.joined())\(isCut ? "…" : "")'"
  }
}

extension UInt8 {
  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  var hexadecimalValue: UInt32? {
    Character(Unicode.Scalar(self)).hexDigitValue.map(UInt32.init)
  }
}
