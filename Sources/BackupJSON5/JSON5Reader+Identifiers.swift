extension JSON5Reader {
  /// Reads a key without quotes.
  mutating func readIdentifier() throws(JSON5SyntaxError) -> String {
    var key = String.UnicodeScalarView()
    while let scalar = try readIdentifierScalar(isFirst: key.isEmpty) { key.append(scalar) }
    guard !key.isEmpty else { throw notAKey() }
    return String(key)
  }

  /// Reads the next character of a key, or returns nil where the key ends.
  private mutating func readIdentifierScalar(
    isFirst: Bool
  ) throws(JSON5SyntaxError) -> Unicode.Scalar? {
    guard let scalar = text.scalar(at: offset) else { return nil }
    if scalar == "\\" { return try readIdentifierEscape(isFirst: isFirst) }
    guard isFirst ? scalar.isIdentifierStart : scalar.isIdentifierPart else { return nil }
    offset += UTF8.width(scalar)
    return scalar
  }

  /// Reads a `\u` escape, which must stand for a character that a key can have there.
  private mutating func readIdentifierEscape(
    isFirst: Bool
  ) throws(JSON5SyntaxError) -> Unicode.Scalar {
    let start = offset
    guard text[offset + 1] == UInt8(ascii: "u") else { throw badKeyEscape(at: start) }
    offset += 2
    let scalar = try readUnicodeEscape()
    guard scalar.value < 0x10000, isFirst ? scalar.isIdentifierStart : scalar.isIdentifierPart
    else { throw badKeyEscape(at: start) }
    return scalar
  }
}
