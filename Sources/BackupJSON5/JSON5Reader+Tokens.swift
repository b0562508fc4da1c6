import BackupDiagnostics

extension JSON5Reader {
  mutating func readString() throws(SyntaxError) -> String {
    let opening = offset
    var string = ""
    offset += 1
    while true {
      string += readPlainCharacters(until: text.bytes[opening])
      guard let byte = text[offset], byte != 0x0A, byte != 0x0D else {
        throw unclosedString(at: opening)
      }
      offset += 1
      if byte == text.bytes[opening] { return string }
      try readEscape(into: &string, ofStringAt: opening)
    }
  }

  /// Reads up to the quote, a backslash, a line end or the end of the input.
  private mutating func readPlainCharacters(until quote: UInt8) -> String {
    let start = offset
    while let byte = text[offset], byte != quote, byte != UInt8(ascii: "\\"), byte != 0x0A,
      byte != 0x0D
    {
      offset += 1
    }
    return text[start..<offset]
  }

  /// Reads what follows a backslash and adds its meaning to a string.
  private mutating func readEscape(
    into string: inout String, ofStringAt opening: Int
  ) throws(SyntaxError) {
    guard let scalar = text.scalar(at: offset) else { throw unclosedString(at: opening) }
    if let length = text.lineTerminatorLength(at: offset) {
      offset += length
      return
    }
    offset += UTF8.width(scalar)
    string.unicodeScalars.append(try readMeaning(ofEscape: scalar))
  }

  /// The character that an escape stands for, its letter already read.
  private mutating func readMeaning(
    ofEscape letter: Unicode.Scalar
  ) throws(SyntaxError) -> Unicode.Scalar {
    switch letter {
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "v": return "\u{B}"
    case "x": return try readHexadecimalEscape()
    case "u": return try readUnicodeEscape()
    case "0" where text[offset]?.isDigit != true: return "\0"
    case "0"..."9": throw octalEscape()
    default: return letter
    }
  }
}

extension JSON5Reader {
  mutating func readHexadecimalEscape() throws(SyntaxError) -> Unicode.Scalar {
    let start = offset - 2
    guard let scalar = Unicode.Scalar(try readDigits(2)) else { throw loneSurrogate(at: start) }
    return scalar
  }

  /// Reads the four digits after `\u`, and the second half of a surrogate pair.
  mutating func readUnicodeEscape() throws(SyntaxError) -> Unicode.Scalar {
    let start = offset - 2
    let first = try readDigits(4)
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, text[offset] == UInt8(ascii: "\\"), text[offset + 1] == UInt8(ascii: "u")
    else { throw loneSurrogate(at: start) }
    offset += 2
    let second = try readDigits(4)
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw loneSurrogate(at: start) }
    return scalar
  }

  /// Reads digits of base 16, exactly as many as asked for.
  private mutating func readDigits(_ count: Int) throws(SyntaxError) -> UInt32 {
    let start = offset - 2
    var value: UInt32 = 0
    for _ in 0..<count {
      guard let digit = text[offset]?.hexadecimalValue else {
        throw badEscape(at: start, digits: count)
      }
      value = value << 4 | digit
      offset += 1
    }
    return value
  }
}

extension JSON5Reader {
  mutating func readIdentifier() throws(SyntaxError) -> String {
    var key = String.UnicodeScalarView()
    while let scalar = try readIdentifierScalar(isFirst: key.isEmpty) { key.append(scalar) }
    guard !key.isEmpty else { throw notAKey() }
    return String(key)
  }

  /// Reads the next character of a key, or returns nil if the key ends.
  private mutating func readIdentifierScalar(
    isFirst: Bool
  ) throws(SyntaxError) -> Unicode.Scalar? {
    guard let scalar = text.scalar(at: offset) else { return nil }
    if scalar == "\\" { return try readIdentifierEscape(isFirst: isFirst) }
    guard isFirst ? scalar.isIdentifierStart : scalar.isIdentifierPart else { return nil }
    offset += UTF8.width(scalar)
    return scalar
  }

  /// Reads a `\u` escape, which must stand for a character that a key can have there.
  private mutating func readIdentifierEscape(
    isFirst: Bool
  ) throws(SyntaxError) -> Unicode.Scalar {
    let start = offset
    guard text[offset + 1] == UInt8(ascii: "u") else { throw badKeyEscape(at: start) }
    offset += 2
    let scalar = try readUnicodeEscape()
    guard scalar.value < 0x10000, isFirst ? scalar.isIdentifierStart : scalar.isIdentifierPart
    else { throw badKeyEscape(at: start) }
    return scalar
  }
}

extension JSON5Reader {
  /// Reads a number, including `Infinity` and `NaN`, with its sign.
  mutating func readNumber() throws(SyntaxError) -> JSON5Number {
    let start = offset
    if text[offset] == UInt8(ascii: "+") || text[offset] == UInt8(ascii: "-") { offset += 1 }
    guard skipMagnitude(), !isInsideNumber else { throw malformedNumber(at: start) }
    guard let number = JSON5Number(literal: text[start..<offset]) else {
      throw numberOutOfRange(at: start)
    }
    return number
  }

  /// Whether the next byte cannot follow a complete number.
  private var isInsideNumber: Bool {
    guard let scalar = text.scalar(at: offset) else { return false }
    return scalar == "." || scalar == "\\" || scalar.isIdentifierPart
  }

  /// Passes over a number without its sign; false if it is not one.
  private mutating func skipMagnitude() -> Bool {
    switch text[offset] {
    case UInt8(ascii: "I"): return skipWord() == "Infinity"
    case UInt8(ascii: "N"): return skipWord() == "NaN"
    case UInt8(ascii: "0"): return skipAfterZero()
    default: return skipDecimal()
    }
  }

  /// Passes over a number that begins with zero; false if another digit follows it.
  private mutating func skipAfterZero() -> Bool {
    switch text[offset + 1] {
    case UInt8(ascii: "x"), UInt8(ascii: "X"):
      offset += 2
      return skipRun { $0.hexadecimalValue != nil } > 0
    case let next:
      return next?.isDigit != true && skipDecimal()
    }
  }

  /// Passes over digits, decimal point and exponent; false if a part lacks its digits.
  private mutating func skipDecimal() -> Bool {
    var digits = skipRun(\.isDigit)
    if text[offset] == UInt8(ascii: ".") {
      offset += 1
      digits += skipRun(\.isDigit)
    }
    guard digits > 0 else { return false }
    return skipExponent()
  }

  /// Passes over an exponent if there is one; false if it has no digits.
  private mutating func skipExponent() -> Bool {
    guard text[offset] == UInt8(ascii: "e") || text[offset] == UInt8(ascii: "E") else {
      return true
    }
    offset += 1
    if text[offset] == UInt8(ascii: "+") || text[offset] == UInt8(ascii: "-") { offset += 1 }
    return skipRun(\.isDigit) > 0
  }

  /// Passes over the bytes that satisfy a condition and counts them.
  private mutating func skipRun(_ isIncluded: (UInt8) -> Bool) -> Int {
    let start = offset
    while let byte = text[offset], isIncluded(byte) { offset += 1 }
    return offset - start
  }
}
