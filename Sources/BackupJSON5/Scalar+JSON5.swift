import BackupDiagnostics

extension Unicode.Scalar {
  /// True for white space and line ends of JSON5. Call this only for characters outside of ASCII.
  var isNonASCIISpace: Bool {
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

  /// True if an unquoted key can contain the character. After its first character, a key can also
  /// contain digits, marks and joiners.
  var isIdentifierPart: Bool {
    if isIdentifierStart || value == 0x200C || value == 0x200D { return true }
    if isASCII { return UInt8(value).isDigit }
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .decimalNumber, .connectorPunctuation: return true
    default: return false
    }
  }

  var isNumberPunctuation: Bool { self == "+" || self == "-" || self == "." }

  /// True for typographic quotes, guillemets and the backtick. Users write these by mistake instead
  /// of ' and ".
  var isWrongQuote: Bool {
    (0x2018...0x201F).contains(value) || value == 0xAB || value == 0xBB || value == 0x60
  }

  private var isASCIILetter: Bool {
    ("a"..."z").contains(self) || ("A"..."Z").contains(self)
  }

  /// The character for a message: `'a'` in ASCII, `'é' (U+00E9)` outside of ASCII, or
  /// `the character U+00A0` if it is invisible.
  var descriptionForMessage: String {
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
  /// The text in quotes for a message, on one line. Cuts it after 40 characters.
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
