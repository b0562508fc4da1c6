/// A JSON5 number that keeps its notation.
package struct JSON5Number: Hashable, Sendable {
  /// The number as written in the file, with its sign.
  package let text: String

  /// The nearest `Double`. It is infinite or not a number only if the file says so.
  package let double: Double

  /// The exact value if it is a whole number that fits, in any notation: `1.0` and `1e2` are whole.
  package let integer: Int64?

  /// Creates a number from a literal of the JSON5 grammar, or returns nil if no finite `Double` is
  /// near it.
  package init?(literal: String) {
    guard let double = Self.double(literal) else { return nil }
    self.text = literal
    self.double = double
    self.integer = Self.integer(literal)
  }

  private static func double(_ literal: String) -> Double? {
    let magnitude = unsigned(literal)
    let sign: Double = literal.hasPrefix("-") ? -1 : 1
    if magnitude == "Infinity" { return sign * .infinity }
    if magnitude == "NaN" { return .nan }
    guard let value = Double(normalized(magnitude)), value.isFinite else { return nil }
    return value == 0 && !isZero(magnitude) ? nil : sign * value
  }

  private static func integer(_ literal: String) -> Int64? {
    let magnitude = unsigned(literal)
    let sign = literal.hasPrefix("-") ? "-" : ""
    if isHexadecimal(magnitude) { return Int64(sign + magnitude.dropFirst(2), radix: 16) }
    return wholeDigits(magnitude).flatMap { Int64(sign + $0) }
  }

  private static func unsigned(_ literal: String) -> Substring {
    literal.hasPrefix("-") || literal.hasPrefix("+") ? literal.dropFirst() : literal[...]
  }

  private static func isHexadecimal(_ magnitude: Substring) -> Bool {
    magnitude.hasPrefix("0x") || magnitude.hasPrefix("0X")
  }

  private static func isZero(_ magnitude: Substring) -> Bool {
    if isHexadecimal(magnitude) { return magnitude.dropFirst(2).utf8.allSatisfy { $0 == 0x30 } }
    return parts(magnitude).digits.isEmpty
  }

  /// Returns the literal in a notation that `Double` reads.
  private static func normalized(_ magnitude: Substring) -> String {
    if isHexadecimal(magnitude) { return String(magnitude) }
    let (digits, exponent) = parts(magnitude)
    return digits.isEmpty ? "0" : "\(digits)e\(exponent)"
  }

  /// Returns the decimal digits of a whole number below 10¹⁹, or nil for any other number.
  private static func wholeDigits(_ magnitude: Substring) -> String? {
    let (digits, exponent) = parts(magnitude)
    if digits.isEmpty { return "0" }
    guard (0...18).contains(exponent), digits.utf8.count <= 19 else { return nil }
    return digits + String(repeating: "0", count: Int(exponent))
  }

  /// Splits a decimal number into its digits, without zeros at either end, and a power of ten.
  private static func parts(_ magnitude: Substring) -> (digits: String, exponent: Int64) {
    let halves = magnitude.split(maxSplits: 1) { $0 == "e" || $0 == "E" }
    let mantissa = (halves.first ?? "").split(
      separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    var digits = mantissa.joined().utf8.drop { $0 == 0x30 }
    let length = digits.count
    while digits.last == 0x30 { digits.removeLast() }
    let fraction = mantissa.count > 1 ? mantissa[1].utf8.count : 0
    let scale = halves.count > 1 ? power(halves[1]) : 0
    return (String(Substring(digits)), scale + Int64(length - digits.count - fraction))
  }

  /// Returns an exponent, limited to a range whose sums fit. No literal is long enough for the
  /// limit to matter.
  private static func power(_ text: Substring) -> Int64 {
    let limit: Int64 = 1 << 40
    return max(-limit, min(limit, Int64(text) ?? (text.hasPrefix("-") ? -limit : limit)))
  }

  /// Compares the notation, so that `NaN` equals itself and `1` differs from `1.0`.
  package static func == (left: JSON5Number, right: JSON5Number) -> Bool {
    left.text == right.text
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(text)
  }
}
