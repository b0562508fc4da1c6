import BackupDiagnostics
import Testing

@testable import BackupJSON5

/// The values of numbers, as `Double` and as exact integers.
@Suite struct NumberTests {
  @Test(arguments: ["0", "-0", "+1", ".5", "5.", "0x1F", "1e5", "-Infinity", "NaN"])
  func textIsKeptAsWritten(_ text: String) {
    #expect(number(text)?.text == text)
    #expect(number(" \(text) ")?.text == text)
  }

  @Test(arguments: [
    ("0", 0), ("-0", 0), ("1.0", 1), ("1.", 1), ("1e5", 100_000), ("100e-2", 1), ("0.1e1", 1),
    ("-12.50e1", -125), ("0x10", 16), ("-0x10", -16), ("9007199254740993", 9_007_199_254_740_993),
    ("9223372036854775807", .max), ("-9223372036854775808", .min),
    ("9223372036854775807.0", .max), ("922337203685477580700e-2", .max), ("0e999", 0),
    ("-0x8000000000000000", .min), ("0x7FFFFFFFFFFFFFFF", .max),
    ("1e18", 1_000_000_000_000_000_000),
    ("0x000000000000000000001", 1), ("1000e-3", 1), ("0.000e-5", 0), ("+7e0", 7),
  ])
  func wholeNumbersAreExact(_ text: String, _ integer: Int64) {
    #expect(number(text)?.integer == integer)
  }

  @Test(arguments: [
    "0.5", "1e-1", "9223372036854775808", "-9223372036854775809", "1e19", "0x8000000000000000",
    "Infinity", "-Infinity", "NaN", "1.0000000000000000000001", "12345678901234567.1",
    "1e300", "10e-2",
  ])
  func otherNumbersHaveNoInteger(_ text: String) {
    #expect(number(text) != nil)
    #expect(number(text)?.integer == nil)
  }

  @Test(arguments: [
    ("1.5", 1.5), ("-.5", -0.5), ("5.", 5), ("0x1F", 31), ("1e-5", 1e-5), ("1E+5", 1e5),
    ("1.e3", 1000), ("0.1000000000000000055511151231257827", 0.1),
    ("5e-324", .leastNonzeroMagnitude),
    ("1.7976931348623157e308", .greatestFiniteMagnitude), ("0xFFFFFFFFFFFFFFFF", 0x1p64),
    ("0x20000000000001", 0x1p53), ("0x10000000000000000", 0x1p64), ("Infinity", .infinity),
    ("-Infinity", -.infinity), ("123456789012345678901234567890", 123456789012345678901234567890.0),
    ("0.000001", 1e-6), ("0.5e1", 5),
  ])
  func doublesAreTheNearest(_ text: String, _ double: Double) {
    #expect(number(text)?.double == double)
  }

  @Test func notANumberIsNotANumber() {
    #expect(number("NaN")?.double.isNaN == true)
    #expect(number("-NaN")?.double.isNaN == true)
    #expect(number("NaN") == number("NaN"))
  }

  @Test func zeroKeepsItsSign() {
    #expect(number("-0")?.double.sign == .minus)
    #expect(number("-0x0")?.double.sign == .minus)
    #expect(number("0")?.double.sign == .plus)
  }

  @Test(arguments: [
    "1e309", "-1e309", "1e99999999999999999999", "1e-99999999999999999999", "1e-400",
  ])
  func numbersOutOfRangeAreRefused(_ text: String) {
    #expect(mistake(in: text)?.message.contains("out of range") == true)
  }

  @Test(arguments: [
    "0x48.", "0x1.8", "0x1p3", "0x-1", "0xG", "1e5.5", "1.5.5", "1_000", "- 1", "--1", "1$", ".",
  ])
  func malformedNumbersAreRefused(_ text: String) {
    #expect(mistake(in: text) != nil)
  }

  @Test func hugeExponentsOfZeroAreZero() {
    #expect(number("0e99999999999999999999")?.double == 0)
    #expect(number("0e-99999999999999999999")?.integer == 0)
  }

  @Test func manyDigitsAreRead() {
    let digits = String(repeating: "1", count: 100_000)
    #expect(number("0.\(digits)")?.double == 1.0 / 9)
    #expect(number("\(digits)e-99999")?.integer == nil)
    #expect(mistake(in: digits) != nil)
  }

  @Test func numbersWrittenDifferentlyAreUnequal() {
    #expect(number("1") == number(" 1"))
    #expect(number("1") != number("1.0"))
    #expect(Set([number("1"), number("1"), number("0x1")]).count == 2)
  }
}
