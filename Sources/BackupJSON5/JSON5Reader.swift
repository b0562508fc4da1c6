package import BackupDiagnostics

/// A reader of JSON5 text. It returns each value with its line and column.
///
/// The reader makes one pass, in time linear in the length of the text. It does not recurse, so
/// deeply nested input cannot overflow the stack.
package struct JSON5Reader {
  let text: JSON5Text

  /// The maximum number of arrays and objects around a value.
  let maximumDepth: Int

  /// The offset of the next byte to read.
  var offset = 0

  /// The arrays and objects around the next byte, outermost first.
  var enclosingCollections: [OpenCollection] = []

  /// Reads a UTF-8 file that has one value. Uses 512 if `maximumDepth` is larger.
  ///
  /// - Throws: The first mistake in the file.
  package static func read(
    _ bytes: [UInt8], maximumDepth: Int = 128
  ) throws(SyntaxError) -> LocatedValue {
    var reader = JSON5Reader(text: try JSON5Text(bytes), maximumDepth: min(maximumDepth, 512))
    try reader.skipSpace()
    guard reader.offset < bytes.count else { throw reader.emptyInput() }
    let value = try reader.readCompleteValue()
    try reader.skipSpace()
    guard reader.offset == bytes.count else { throw reader.trailingContent() }
    return value
  }

  private mutating func readCompleteValue() throws(SyntaxError) -> LocatedValue {
    var value = try readValue()
    while true {
      if let completedValue = value {
        guard !enclosingCollections.isEmpty else { return completedValue }
        enclosingCollections[enclosingCollections.endIndex - 1].append(completedValue)
      }
      value = try readNext()
    }
  }

  /// Reads the opening bracket of an array or object.
  mutating func openCollection(isObject: Bool) throws(SyntaxError) {
    guard enclosingCollections.count < maximumDepth else { throw tooDeep() }
    enclosingCollections.append(
      OpenCollection(isObject: isObject, position: text.position(at: offset)))
    offset += 1
  }

  /// Reads the next value or closing bracket in the innermost array or object. Returns the value
  /// that is now complete, or nil if another array or object begins.
  mutating func readNext() throws(SyntaxError) -> LocatedValue? {
    if let closedCollection = try readClosingBracket() { return closedCollection }
    if enclosingCollections.last?.isEmpty == false {
      guard text[offset] == UInt8(ascii: ",") else { throw missingComma() }
      offset += 1
      if let closedCollection = try readClosingBracket() { return closedCollection }
    }
    if enclosingCollections.last?.isObject == true { try readKey() }
    return try readValue()
  }

  /// Reads the bracket that closes the innermost array or object, and returns this array or object.
  /// Returns nil if another character is next.
  private mutating func readClosingBracket() throws(SyntaxError) -> LocatedValue? {
    try skipSpace()
    guard let innermost = enclosingCollections.last else { return nil }
    guard let byte = text[offset] else { throw unclosed(innermost) }
    if byte == innermost.closingBracket.asciiValue {
      offset += 1
      return enclosingCollections.popLast()?.value
    }
    if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") { throw mismatched(innermost) }
    return nil
  }

  private mutating func readKey() throws(SyntaxError) {
    let start = offset
    let isQuoted = text[offset] == UInt8(ascii: "\"") || text[offset] == UInt8(ascii: "'")
    let key = isQuoted ? try readString() : try readIdentifier()
    enclosingCollections[enclosingCollections.endIndex - 1].key = key
    enclosingCollections[enclosingCollections.endIndex - 1].keyPosition = text.position(at: start)
    try skipSpace()
    guard text[offset] == UInt8(ascii: ":") else { throw missingColon(after: key) }
    offset += 1
  }

  /// Reads the next value. If it is an array or object, reads only its opening bracket and returns
  /// nil.
  mutating func readValue() throws(SyntaxError) -> LocatedValue? {
    try skipSpace()
    let start = offset
    guard let kind = try readValueWithoutPosition() else { return nil }
    return LocatedValue(kind: kind, position: text.position(at: start))
  }

  private mutating func readValueWithoutPosition() throws(SyntaxError) -> LocatedValue.Kind? {
    guard let byte = text[offset] else { throw missingValue() }
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      try openCollection(isObject: byte == UInt8(ascii: "{"))
      return nil
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      return .string(try readString())
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "I"), UInt8(ascii: "N"):
      return .number(try readNumber())
    default:
      return try readKeyword()
    }
  }

  private mutating func readKeyword() throws(SyntaxError) -> LocatedValue.Kind {
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

  /// Skips a word, and returns it. The result is empty if no word begins here.
  mutating func skipWord() -> String {
    let start = offset
    while let scalar = text.scalar(at: offset), scalar.isIdentifierPart {
      offset += UTF8.width(scalar)
    }
    return text[start..<offset]
  }

  mutating func skipSpace() throws(SyntaxError) {
    while let byte = text[offset] {
      switch byte {
      case 0x09...0x0D, 0x20: offset += 1
      case UInt8(ascii: "/"): guard try skipComment() else { return }
      case 0x80...:
        guard let scalar = text.scalar(at: offset), scalar.isNonASCIISpace else { return }
        offset += UTF8.width(scalar)
      default: return
      }
    }
  }

  /// Skips a comment. Returns false if the slash does not begin a comment.
  private mutating func skipComment() throws(SyntaxError) -> Bool {
    switch text[offset + 1] {
    case UInt8(ascii: "/"):
      while offset < text.count, text.lineTerminatorLength(at: offset) == nil { offset += 1 }
    case UInt8(ascii: "*"): try skipBlockComment()
    default: return false
    }
    return true
  }

  /// Skips everything up to and including `*/`. Throws an error if `*/` is missing.
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

  mutating func readString() throws(SyntaxError) -> String {
    let quoteOffset = offset
    var string = ""
    offset += 1
    while true {
      string += readPlainCharacters(until: text.bytes[quoteOffset])
      guard let byte = text[offset], byte != 0x0A, byte != 0x0D else {
        throw unclosedString(at: quoteOffset)
      }
      offset += 1
      if byte == text.bytes[quoteOffset] { return string }
      try readEscape(into: &string, ofStringAt: quoteOffset)
    }
  }

  /// Reads up to the closing quote, a backslash, a line end or the end of the file.
  private mutating func readPlainCharacters(until quote: UInt8) -> String {
    let start = offset
    while let byte = text[offset], byte != quote, byte != UInt8(ascii: "\\"), byte != 0x0A,
      byte != 0x0D
    {
      offset += 1
    }
    return text[start..<offset]
  }

  private mutating func readEscape(
    into string: inout String, ofStringAt quoteOffset: Int
  ) throws(SyntaxError) {
    guard let scalar = text.scalar(at: offset) else { throw unclosedString(at: quoteOffset) }
    if let length = text.lineTerminatorLength(at: offset) {
      offset += length
      return
    }
    offset += UTF8.width(scalar)
    string.unicodeScalars.append(try readEscapedCharacter(after: scalar))
  }

  /// Returns the character for an escape. Reads the digits that follow the letters `x` and `u`.
  private mutating func readEscapedCharacter(
    after letter: Unicode.Scalar
  ) throws(SyntaxError) -> Unicode.Scalar {
    switch letter {
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "v": return "\u{B}"
    case "x": return Unicode.Scalar(UInt8(try readHexadecimalDigits(2)))
    case "u": return try readUnicodeEscape()
    case "0" where text[offset]?.isDigit != true: return "\0"
    case "0"..."9": throw octalEscape()
    default: return letter
    }
  }

  /// Reads the four digits after `\u`. If they are the first half of a surrogate pair, also reads
  /// the second half.
  mutating func readUnicodeEscape() throws(SyntaxError) -> Unicode.Scalar {
    let start = offset - 2
    let first = try readHexadecimalDigits(4)
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, text[offset] == UInt8(ascii: "\\"), text[offset + 1] == UInt8(ascii: "u")
    else { throw loneSurrogate(at: start) }
    offset += 2
    let second = try readHexadecimalDigits(4)
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw loneSurrogate(at: start) }
    return scalar
  }

  private mutating func readHexadecimalDigits(_ count: Int) throws(SyntaxError) -> UInt32 {
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

  mutating func readIdentifier() throws(SyntaxError) -> String {
    var key = String.UnicodeScalarView()
    while let scalar = try readIdentifierScalar(isFirst: key.isEmpty) { key.append(scalar) }
    guard !key.isEmpty else { throw notAKey() }
    return String(key)
  }

  /// Reads the next character of a key, or returns nil if the key ends.
  private mutating func readIdentifierScalar(isFirst: Bool) throws(SyntaxError) -> Unicode.Scalar? {
    guard let scalar = text.scalar(at: offset) else { return nil }
    if scalar == "\\" { return try readIdentifierEscape(isFirst: isFirst) }
    guard isFirst ? scalar.isIdentifierStart : scalar.isIdentifierPart else { return nil }
    offset += UTF8.width(scalar)
    return scalar
  }

  /// Reads a `\u` escape in a key without quotes. The key must be allowed to contain the character.
  private mutating func readIdentifierEscape(isFirst: Bool) throws(SyntaxError) -> Unicode.Scalar {
    let start = offset
    guard text[offset + 1] == UInt8(ascii: "u") else { throw badKeyEscape(at: start) }
    offset += 2
    let scalar = try readUnicodeEscape()
    guard scalar.value < 0x10000, isFirst ? scalar.isIdentifierStart : scalar.isIdentifierPart
    else { throw badKeyEscape(at: start) }
    return scalar
  }

  /// Reads a number, including `Infinity` and `NaN`, with its sign.
  mutating func readNumber() throws(SyntaxError) -> JSON5Number {
    let start = offset
    if text[offset] == UInt8(ascii: "+") || text[offset] == UInt8(ascii: "-") { offset += 1 }
    guard skipMagnitude(), !hasTrailingCharacter else { throw malformedNumber(at: start) }
    guard let number = JSON5Number(literal: text[start..<offset]) else {
      throw numberOutOfRange(at: start)
    }
    return number
  }

  /// True if the next character must not follow a number, such as the `a` in `12a`.
  private var hasTrailingCharacter: Bool {
    guard let scalar = text.scalar(at: offset) else { return false }
    return scalar == "." || scalar == "\\" || scalar.isIdentifierPart
  }

  /// Skips the part of a number after its sign. Returns false if it is malformed.
  private mutating func skipMagnitude() -> Bool {
    switch text[offset] {
    case UInt8(ascii: "I"): return skipWord() == "Infinity"
    case UInt8(ascii: "N"): return skipWord() == "NaN"
    case UInt8(ascii: "0"): return skipNumberBeginningWithZero()
    default: return skipDecimal()
    }
  }

  /// Skips a number that begins with 0. Returns false if it is malformed, such as `012` or `0x`.
  private mutating func skipNumberBeginningWithZero() -> Bool {
    switch text[offset + 1] {
    case UInt8(ascii: "x"), UInt8(ascii: "X"):
      offset += 2
      return skipBytes { $0.hexadecimalValue != nil } > 0
    case let next:
      return next?.isDigit != true && skipDecimal()
    }
  }

  /// Skips a decimal number. Returns false if it has no digits, or if its exponent has none.
  private mutating func skipDecimal() -> Bool {
    var digitCount = skipBytes(where: \.isDigit)
    if text[offset] == UInt8(ascii: ".") {
      offset += 1
      digitCount += skipBytes(where: \.isDigit)
    }
    guard digitCount > 0 else { return false }
    return skipExponent()
  }

  /// Skips the exponent if the number has one. Returns false if the exponent has no digits.
  private mutating func skipExponent() -> Bool {
    guard text[offset] == UInt8(ascii: "e") || text[offset] == UInt8(ascii: "E") else {
      return true
    }
    offset += 1
    if text[offset] == UInt8(ascii: "+") || text[offset] == UInt8(ascii: "-") { offset += 1 }
    return skipBytes(where: \.isDigit) > 0
  }

  /// Skips the bytes that satisfy a condition, and returns their number.
  private mutating func skipBytes(where isIncluded: (UInt8) -> Bool) -> Int {
    let start = offset
    while let byte = text[offset], isIncluded(byte) { offset += 1 }
    return offset - start
  }
}

/// An array or object whose end has not been read yet.
struct OpenCollection {
  let isObject: Bool

  let position: SourcePosition

  private var elements: [LocatedValue] = []

  private var members: [LocatedValue.Member] = []

  /// The key that was read last; empty before the first key.
  var key = ""

  var keyPosition: SourcePosition

  init(isObject: Bool, position: SourcePosition) {
    self.isObject = isObject
    self.position = position
    self.keyPosition = position
  }

  var isEmpty: Bool { elements.isEmpty && members.isEmpty }

  var openingBracket: Character { isObject ? "{" : "[" }

  var closingBracket: Character { isObject ? "}" : "]" }

  var value: LocatedValue {
    LocatedValue(kind: isObject ? .object(members) : .array(elements), position: position)
  }

  /// Adds a value. In an object, its key is `key`.
  mutating func append(_ value: LocatedValue) {
    if isObject {
      members.append(LocatedValue.Member(key: key, keyPosition: keyPosition, value: value))
    } else {
      elements.append(value)
    }
  }
}
