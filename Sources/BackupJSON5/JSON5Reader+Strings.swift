extension JSON5Reader {
  /// Reads the string whose quote is the next byte.
  mutating func readString() throws(JSON5SyntaxError) -> String {
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
  ) throws(JSON5SyntaxError) {
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
  ) throws(JSON5SyntaxError) -> Unicode.Scalar {
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
