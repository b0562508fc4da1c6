/// A JSON5 number and its notation in the file.
package struct JSON5Number: Hashable, Sendable {
  /// The number as written in the file, with its sign.
  package let text: String

  /// The nearest `Double`. It is finite unless the literal is `Infinity` or `NaN`.
  package let double: Double

  /// The exact value of a whole number, such as `2`, `1.0` or `1e2`. Nil for any other number, and
  /// for one that does not fit into `Int64`.
  package let integer: Int64?

  /// Creates a number from a literal of the JSON5 grammar. Returns nil if a finite number is too
  /// large for a `Double`, or so small that it would become 0.
  package init?(literal: String) {
    guard let double = Self.double(literal) else { return nil }
    self.text = literal
    self.double = double
    self.integer = Self.integer(literal)
  }

  private static func double(_ literal: String) -> Double? {
    let magnitude = withoutSign(literal)
    let sign: Double = literal.hasPrefix("-") ? -1 : 1
    if magnitude == "Infinity" { return sign * .infinity }
    if magnitude == "NaN" { return .nan }
    guard let value = Double(normalized(magnitude)), value.isFinite else { return nil }
    return value == 0 && !isZero(magnitude) ? nil : sign * value
  }

  private static func integer(_ literal: String) -> Int64? {
    let magnitude = withoutSign(literal)
    let sign = literal.hasPrefix("-") ? "-" : ""
    if isHexadecimal(magnitude) { return Int64(sign + magnitude.dropFirst(2), radix: 16) }
    return wholeDigits(magnitude).flatMap { Int64(sign + $0) }
  }

  private static func withoutSign(_ literal: String) -> Substring {
    literal.hasPrefix("-") || literal.hasPrefix("+") ? literal.dropFirst() : literal[...]
  }

  private static func isHexadecimal(_ magnitude: Substring) -> Bool {
    magnitude.hasPrefix("0x") || magnitude.hasPrefix("0X")
  }

  private static func isZero(_ magnitude: Substring) -> Bool {
    if isHexadecimal(magnitude) { return magnitude.dropFirst(2).utf8.allSatisfy { $0 == 0x30 } }
    return digitsAndExponent(magnitude).digits.isEmpty
  }

  /// Returns a number without a sign in a notation that `Double.init` reads.
  private static func normalized(_ magnitude: Substring) -> String {
    if isHexadecimal(magnitude) { return String(magnitude) }
    let (digits, exponent) = digitsAndExponent(magnitude)
    return digits.isEmpty ? "0" : "\(digits)e\(exponent)"
  }

  /// Returns the decimal digits of a whole number. Returns nil for a fraction, and for some numbers
  /// that do not fit into `Int64`.
  private static func wholeDigits(_ magnitude: Substring) -> String? {
    let (digits, exponent) = digitsAndExponent(magnitude)
    if digits.isEmpty { return "0" }
    guard (0...18).contains(exponent), digits.utf8.count <= 19 else { return nil }
    return digits + String(repeating: "0", count: Int(exponent))
  }

  /// Splits a decimal number into digits and an exponent of ten. The digits do not begin or end
  /// with zeros: `0.120e3` has the digits `12` and the exponent 1.
  private static func digitsAndExponent(
    _ magnitude: Substring
  ) -> (digits: String, exponent: Int64) {
    let significandAndExponent = magnitude.split(maxSplits: 1) { $0 == "e" || $0 == "E" }
    let wholeAndFraction = (significandAndExponent.first ?? "").split(
      separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    var digits = wholeAndFraction.joined().utf8.drop { $0 == 0x30 }
    let digitCountWithZeros = digits.count
    while digits.last == 0x30 { digits.removeLast() }
    let fractionDigitCount = wholeAndFraction.count > 1 ? wholeAndFraction[1].utf8.count : 0
    let writtenExponent =
      significandAndExponent.count > 1 ? exponentValue(significandAndExponent[1]) : 0
    return (
      String(Substring(digits)),
      writtenExponent + Int64(digitCountWithZeros - digits.count - fractionDigitCount)
    )
  }

  /// Reads an exponent. Limits it, so that sums of exponents do not overflow. The limit changes no
  /// result, because no literal has 2⁴⁰ digits.
  private static func exponentValue(_ text: Substring) -> Int64 {
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
