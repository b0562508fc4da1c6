package import BackupDiagnostics

/// Reads JSON5 text into values that know their line and column.
///
/// Never recursive, so the nesting of the input costs no stack; one pass, linear in its length.
package struct JSON5Reader {
  let text: JSON5Text

  /// How many arrays and objects may be open at once.
  let maximumDepth: Int

  /// The offset of the next byte to read.
  var offset = 0

  /// The arrays and objects around the next byte, outermost first.
  var open: [OpenContainer] = []

  /// Reads a whole file in UTF-8 that holds one value. Throws the first mistake, and nothing else,
  /// whatever the bytes; arrays and objects may nest at most 512 deep.
  package static func read(
    _ bytes: [UInt8], maximumDepth: Int = 128
  ) throws(SyntaxError) -> LocatedValue {
    var reader = JSON5Reader(text: try JSON5Text(bytes), maximumDepth: min(maximumDepth, 512))
    return try reader.readDocument()
  }

  /// Reads one value and what may surround it.
  private mutating func readDocument() throws(SyntaxError) -> LocatedValue {
    try skipSpace()
    guard offset < text.count else { throw emptyInput() }
    let value = try readTree()
    try skipSpace()
    guard offset == text.count else { throw trailingContent() }
    return value
  }

  /// Reads a value with everything inside it.
  private mutating func readTree() throws(SyntaxError) -> LocatedValue {
    var value = try readValue()
    while true {
      if let finished = value {
        guard !open.isEmpty else { return finished }
        open[open.endIndex - 1].append(finished)
      }
      value = try readNext()
    }
  }
}

extension JSON5Reader {
  /// Opens the array or object whose bracket is the next byte.
  mutating func openContainer(isObject: Bool) throws(SyntaxError) {
    guard open.count < maximumDepth else { throw tooDeep() }
    open.append(OpenContainer(isObject: isObject, position: text.position(at: offset)))
    offset += 1
  }

  /// Goes on in the innermost container: the value that ends there, or nil if another opened.
  mutating func readNext() throws(SyntaxError) -> LocatedValue? {
    if let closed = try readClosing() { return closed }
    if open.last?.isEmpty == false {
      try readComma()
      if let closed = try readClosing() { return closed }
    }
    if open.last?.isObject == true { try readKey() }
    return try readValue()
  }

  /// Reads the bracket that ends the innermost container, if it is next.
  private mutating func readClosing() throws(SyntaxError) -> LocatedValue? {
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

  private mutating func readComma() throws(SyntaxError) {
    guard text[offset] == UInt8(ascii: ",") else { throw missingComma() }
    offset += 1
  }

  private mutating func readKey() throws(SyntaxError) {
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

extension JSON5Reader {
  /// Reads the next value, or opens it and returns nil if it is an array or object.
  mutating func readValue() throws(SyntaxError) -> LocatedValue? {
    try skipSpace()
    let start = offset
    guard let kind = try readKind() else { return nil }
    return LocatedValue(kind: kind, position: text.position(at: start))
  }

  /// Reads what the next byte announces.
  private mutating func readKind() throws(SyntaxError) -> LocatedValue.Kind? {
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

  private mutating func readWord() throws(SyntaxError) -> LocatedValue.Kind {
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

extension JSON5Reader {
  mutating func skipSpace() throws(SyntaxError) {
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
  private mutating func skipComment() throws(SyntaxError) -> Bool {
    switch text[offset + 1] {
    case UInt8(ascii: "/"): skipLineComment()
    case UInt8(ascii: "*"): try skipBlockComment()
    default: return false
    }
    return true
  }

  private mutating func skipLineComment() {
    while offset < text.count, text.lineTerminatorLength(at: offset) == nil { offset += 1 }
  }

  /// Passes over everything up to `*/`, which must come.
  private mutating func skipBlockComment() throws(SyntaxError) {
    let start = offset
    offset += 2
    while let byte = text[offset] {
      offset += 1
      guard byte == UInt8(ascii: "*"), text[offset] == UInt8(ascii: "/") else { continue }
      offset += 1
      return
    }
    throw unclosedComment(at: start)
  }
}
