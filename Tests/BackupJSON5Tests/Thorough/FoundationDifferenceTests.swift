import Foundation
import TestSupport
import Testing

@testable import BackupJSON5

/// Every known difference from Foundation (Swift 6.3.1, Linux), where the reader follows JSON5.
///
/// Only the reader's side is required: a later Foundation may be repaired without failing here.
@Suite struct FoundationDifferenceTests {
  @Test(arguments: differences) func readerFollowsTheSpecification(_ difference: Difference) {
    let value = try? JSON5Reader.read(difference.input)
    #expect(value?.outline == difference.outline, "\(difference.name)")
  }

  #if os(Linux) && compiler(>=6.3) && compiler(<6.4)
  @Test(arguments: differences.filter { !$0.crashes })
  func foundationStillDiffers(_ difference: Difference) {
    let foundation = FoundationValue.read(difference.input)
    let value = try? JSON5Reader.read(difference.input)
    let agrees = value.map { foundation?.matches($0) ?? false } ?? (foundation == nil)
    #expect(!agrees, "\(difference.name)")
  }
  #endif

  /// An input on which the two differ, and why.
  struct Difference: Sendable, CustomTestStringConvertible {
    /// What the two disagree about.
    let name: String
    let input: [UInt8]
    /// The reader's value as `LocatedValue.outline`, or nil if it refuses.
    let outline: String?
    /// Whether Foundation must not be given the input, since it can end the process.
    let crashes: Bool

    /// States what the reader makes of an input; nil for a refusal.
    init(_ name: String, _ input: [UInt8], _ outline: String?, crashes: Bool = false) {
      (self.name, self.input, self.outline, self.crashes) = (name, input, outline, crashes)
    }

    /// States what the reader makes of a text; nil for a refusal.
    init(_ name: String, _ input: String, _ outline: String?, crashes: Bool = false) {
      self.init(name, Array(input.utf8), outline, crashes: crashes)
    }

    var testDescription: String { "\(name): \(outline ?? "refused")" }
  }
}

extension FoundationDifferenceTests {
  /// All differences, with those that crash Foundation first.
  static let differences: [Difference] =
    foundationCrashes + foundationRefuses + foundationMisreads + foundationAccepts

  /// Inputs that can end the process inside Foundation.
  private static let foundationCrashes = [
    Difference("number as the whole input, read beyond its end", "1.5", "1.5", crashes: true),
    Difference("exponent with a sign and no digits", "1e+", nil, crashes: true),
    Difference("the same inside an array", "[1e-]", nil, crashes: true),
    Difference(
      "fraction beyond double precision read as integer", "1.0000000000000000000001",
      "1.0000000000000000000001", crashes: true),
    Difference(
      "long integer with a negative exponent", "100000000000000000000e-2",
      "100000000000000000000e-2", crashes: true),
  ]

  /// Valid JSON5 that Foundation refuses.
  private static let foundationRefuses = [
    Difference("white space: no-break space", "\u{A0}1", "1"),
    Difference("white space: U+FEFF after the start", "[\u{FEFF}1]", "[1]"),
    Difference("white space: a second U+FEFF", "\u{FEFF}\u{FEFF}1", "1"),
    Difference("white space: U+FEFF at the end", "1\u{FEFF}", "1"),
    Difference("white space: line separator", "\u{2028}1", "1"),
    Difference("white space: paragraph separator", "1\u{2029}", "1"),
    Difference("white space: category Zs, U+1680", "\u{1680}1", "1"),
    Difference("white space: category Zs, U+2000", "{\u{2000}a\u{2000}:1}", "{a:1}"),
    Difference("white space: category Zs, U+202F", "\u{202F}1", "1"),
    Difference("white space: category Zs, U+205F", "\u{205F}1", "1"),
    Difference("white space: category Zs, U+3000", "[1\u{3000},2]", "[1,2]"),
    Difference("line comment ended by U+2028", "// c\u{2028}1", "1"),
    Difference("line comment ended by U+2029", "// c\u{2029}1", "1"),
    Difference("escape of a character that needs none", #"'\a\q\é'"#, "'aqé'"),
    Difference("escape \\v", #"'\v'"#, "'\u{B}'"),
    Difference("escape \\0", #"'a\0b'"#, "'a\0b'"),
    Difference("escape \\x00", #"'\x00'"#, "'\0'"),
    Difference("escape \\u0000", #"'\u0000'"#, "'\0'"),
    Difference("unescaped tab in a string", "'a\tb'", "'a\tb'"),
    Difference(
      "unescaped control characters in a string", "'\u{0}\u{1}\u{B}'", "'\u{0}\u{1}\u{B}'"),
    Difference("line continuation with U+2028", "'a\\\u{2028}b'", "'ab'"),
    Difference("line continuation with U+2029", "'a\\\u{2029}b'", "'ab'"),
    Difference("hex number beyond 64 bits", "0x10000000000000001", "0x10000000000000001"),
    Difference("hex number exact in neither format", "0xFFFFFFFFFFFFFFFF", "0xFFFFFFFFFFFFFFFF"),
  ]

  /// Valid JSON5 that Foundation reads as another value.
  private static let foundationMisreads = [
    Difference("line continuation with LF keeps the LF", "'a\\\nb'", "'ab'"),
    Difference("line continuation with CR keeps the CR", "'a\\\rb'", "'ab'"),
    Difference("line continuation with CRLF keeps both", "'a\\\r\nb'", "'ab'"),
    Difference("escape in an unquoted key stays as written", #"{\u0061b\u0063:1}"#, "{abc:1}"),
    Difference("fraction cut off in an integer", "12345678901234567.1", "12345678901234567.1"),
    Difference(
      "whole number with a point beyond 2⁵³ not an integer", "9223372036854775807.0",
      "9223372036854775807.0"),
  ]

  /// Invalid JSON5 that Foundation lets pass.
  private static let foundationAccepts = [
    Difference("hex number with a point, as an integer", "0x48.", nil),
    Difference("hex number with a fraction, as an integer", "+0X48.0", nil),
    Difference("hex number with a binary exponent, as an integer", "0x1p3", nil),
    Difference("number too small for a double, as an integer", "1e-400", nil),
    Difference("number below half the smallest double, as an integer", "2e-324", nil),
    Difference("unquoted key beginning with an escaped digit", #"{\u0031:1}"#, nil),
    Difference("escape \\x in an unquoted key", #"{\x61:1}"#, nil),
    Difference("mistake after a line comment ended by U+2028", "1// c\u{2028}x\n", nil),
    Difference("invalid number under a repeated key", "{a:1,a:01}", nil),
    Difference("lone byte A0 as white space", [0x5B, 0x31, 0xA0, 0x5D], nil),
    Difference("invalid UTF-8 in a comment", [0x2F, 0x2F, 0xFF, 0x0A, 0x31], nil),
    Difference("UTF-16 without a byte order mark", [0x5B, 0x00, 0x5D, 0x00], nil),
  ]
}
