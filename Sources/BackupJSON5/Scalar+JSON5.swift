extension Unicode.Scalar {
  /// Whether JSON5 takes it for white space or a line end, beyond those of ASCII.
  var isWideSpace: Bool {
    switch value {
    case 0xA0, 0xFEFF, 0x2028, 0x2029: true
    default: properties.generalCategory == .spaceSeparator
    }
  }

  /// Whether an unquoted key can begin with it: a letter, `$` or `_`.
  var isIdentifierStart: Bool {
    if isASCII { return isASCIILetter || self == "$" || self == "_" }
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .letterNumber:
      return true
    default: return false
    }
  }

  /// Whether an unquoted key can go on with it: also digits, marks and joiners.
  var isIdentifierPart: Bool {
    if isIdentifierStart || value == 0x200C || value == 0x200D { return true }
    if isASCII { return UInt8(value).isDigit }
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .decimalNumber, .connectorPunctuation: return true
    default: return false
    }
  }

  /// Whether it is a sign or point, as numbers have between their digits.
  var isNumberPunctuation: Bool { self == "+" || self == "-" || self == "." }

  /// Whether it is one of the 52 letters of ASCII.
  private var isASCIILetter: Bool {
    ("a"..."z").contains(self) || ("A"..."Z").contains(self)
  }
}

extension UInt8 {
  /// Whether it is an ASCII digit from 0 to 9.
  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  /// The value of an ASCII digit of base 16, or nil for any other byte.
  var hexadecimalValue: UInt32? {
    Character(Unicode.Scalar(self)).hexDigitValue.map(UInt32.init)
  }
}
