extension JSON5Reader {
  /// Passes over white space, line ends and comments.
  mutating func skipSpace() throws(JSON5SyntaxError) {
    while let byte = text[offset] {
      switch byte {
      case 0x09...0x0D, 0x20: offset += 1
      case UInt8(ascii: "/"): guard try skipComment() else { return }
      case 0x80...: guard skipWideSpace() else { return }
      default: return
      }
    }
  }

  /// Passes over a space outside ASCII, if one is next.
  private mutating func skipWideSpace() -> Bool {
    guard let scalar = text.scalar(at: offset), scalar.isWideSpace else { return false }
    offset += UTF8.width(scalar)
    return true
  }

  /// Passes over a comment, if the slash that is next begins one.
  private mutating func skipComment() throws(JSON5SyntaxError) -> Bool {
    switch text[offset + 1] {
    case UInt8(ascii: "/"): skipLineComment()
    case UInt8(ascii: "*"): try skipBlockComment()
    default: return false
    }
    return true
  }

  /// Passes over the rest of the line, up to its end.
  private mutating func skipLineComment() {
    while offset < text.count, text.lineTerminatorLength(at: offset) == nil { offset += 1 }
  }

  /// Passes over everything up to `*/`, which must come.
  private mutating func skipBlockComment() throws(JSON5SyntaxError) {
    let start = offset
    offset += 2
    while let byte = text[offset] {
      offset += 1
      guard byte == UInt8(ascii: "*"), text[offset] == UInt8(ascii: "/") else { continue }
      offset += 1
      return
    }
    throw mistake(at: start, "This comment is not closed. Expected '*/'; add it where it ends.")
  }
}
