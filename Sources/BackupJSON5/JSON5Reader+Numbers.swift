extension JSON5Reader {
  /// Reads a number, including `Infinity` and `NaN`, with its sign.
  mutating func readNumber() throws(JSON5SyntaxError) -> JSON5Number {
    let start = offset
    if text[offset] == UInt8(ascii: "+") || text[offset] == UInt8(ascii: "-") { offset += 1 }
    guard skipMagnitude(), !isInsideNumber else { throw malformedNumber(at: start) }
    guard let number = JSON5Number(literal: text[start..<offset]) else {
      throw mistake(
        at: start,
        "This number is outside the range of numbers. Expected one that a 64-bit floating-point "
          + "number can hold; write a number nearer to 1.")
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
