extension JSON5Reader {
  /// Opens the array or object whose bracket is the next byte.
  mutating func openContainer(isObject: Bool) throws(JSON5SyntaxError) {
    guard open.count < maximumDepth else { throw tooDeep() }
    open.append(OpenContainer(isObject: isObject, position: text.position(at: offset)))
    offset += 1
  }

  /// Goes on in the innermost container: the value that ends there, or nil if another opened.
  mutating func readNext() throws(JSON5SyntaxError) -> LocatedValue? {
    if let closed = try readClosing() { return closed }
    if open.last?.isEmpty == false {
      try readComma()
      if let closed = try readClosing() { return closed }
    }
    if open.last?.isObject == true { try readKey() }
    return try readValue()
  }

  /// Reads the bracket that ends the innermost container, if it is next.
  private mutating func readClosing() throws(JSON5SyntaxError) -> LocatedValue? {
    try skipSpace()
    guard let innermost = open.last else { return nil }
    guard let byte = text[offset] else { throw unclosed(innermost) }
    if byte == innermost.closing.asciiValue {
      offset += 1
      return open.popLast()?.value
    }
    if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") { throw mismatched(innermost) }
    return nil
  }

  /// Reads the comma after a value.
  private mutating func readComma() throws(JSON5SyntaxError) {
    guard text[offset] == UInt8(ascii: ",") else { throw missingComma() }
    offset += 1
  }

  /// Reads a key and its colon.
  private mutating func readKey() throws(JSON5SyntaxError) {
    let start = offset
    let isQuoted = text[offset] == UInt8(ascii: "\"") || text[offset] == UInt8(ascii: "'")
    let key = isQuoted ? try readString() : try readIdentifier()
    open[open.endIndex - 1].key = key
    open[open.endIndex - 1].keyPosition = text.position(at: start)
    try skipSpace()
    guard text[offset] == UInt8(ascii: ":") else { throw missingColon(after: key) }
    offset += 1
  }
}
