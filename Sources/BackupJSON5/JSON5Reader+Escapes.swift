extension JSON5Reader {
  /// Reads the two digits after `\x`.
  mutating func readHexadecimalEscape() throws(JSON5SyntaxError) -> Unicode.Scalar {
    let start = offset - 2
    guard let scalar = Unicode.Scalar(try readDigits(2)) else { throw loneSurrogate(at: start) }
    return scalar
  }

  /// Reads the four digits after `\u`, and the second half of a surrogate pair.
  mutating func readUnicodeEscape() throws(JSON5SyntaxError) -> Unicode.Scalar {
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
  private mutating func readDigits(_ count: Int) throws(JSON5SyntaxError) -> UInt32 {
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
