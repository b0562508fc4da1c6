extension JSON5Reader {
  /// Reads the next value, or opens it and returns nil if it is an array or object.
  mutating func readValue() throws(JSON5SyntaxError) -> LocatedValue? {
    try skipSpace()
    let start = offset
    guard let kind = try readKind() else { return nil }
    return LocatedValue(kind: kind, position: text.position(at: start))
  }

  /// Reads what the next byte announces.
  private mutating func readKind() throws(JSON5SyntaxError) -> LocatedValue.Kind? {
    guard let byte = text[offset] else { throw missingValue() }
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      try openContainer(isObject: byte == UInt8(ascii: "{"))
      return nil
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      return .string(try readString())
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "I"), UInt8(ascii: "N"):
      return .number(try readNumber())
    default:
      return try readWord()
    }
  }

  /// Reads `null`, `true` or `false`.
  private mutating func readWord() throws(JSON5SyntaxError) -> LocatedValue.Kind {
    let start = offset
    guard text.scalar(at: start)?.isIdentifierStart == true else { throw missingValue() }
    let word = skipWord()
    switch word {
    case "null": return .null
    case "true": return .bool(true)
    case "false": return .bool(false)
    default: throw notAValue(word, at: start)
    }
  }

  /// Passes over letters and digits and returns them; empty if none is next.
  mutating func skipWord() -> String {
    let start = offset
    while let scalar = text.scalar(at: offset), scalar.isIdentifierPart {
      offset += UTF8.width(scalar)
    }
    return text[start..<offset]
  }
}
