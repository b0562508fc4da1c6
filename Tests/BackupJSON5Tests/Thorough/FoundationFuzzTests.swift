import BackupDiagnostics
import TestSupport
import Testing

@testable import BackupDiagnostics
@testable import BackupJSON5

/// The reader and Foundation must agree on random documents, whole and damaged.
@Suite struct FoundationFuzzTests {
  @Test(arguments: 0..<8) func generatedDocumentsHaveTheSameValue(_ seed: UInt64) throws {
    var generator = RandomDocument(seed: seed)
    for _ in 0..<25 {
      let text = generator.value(depth: 4)
      let expected = try #require(FoundationValue.read(Array(text.utf8)), "\(text)")
      #expect(expected.matches(try LocatedValue(json5: text)), "\(text)")
    }
  }

  @Test(arguments: 0..<8) func damagedDocumentsHaveTheSameVerdict(_ seed: UInt64) {
    var generator = RandomDocument(seed: 1000 + seed)
    for _ in 0..<150 {
      let bytes = generator.damaged(Array(generator.value(depth: 2).utf8))
      guard !FoundationLimits.mayAffect(bytes) else { continue }
      expectAgreement(on: bytes)
    }
  }

  @Test(arguments: 0..<4) func randomBytesAreMistakenInsideTheInput(_ seed: UInt64) {
    var generator = RandomDocument(seed: 2000 + seed)
    for length in 0..<200 {
      let bytes = generator.bytes(length)
      let end = LineTable(bytes).position(at: length)
      #expect((mistake(in: bytes)?.position ?? end) <= end, "\(bytes)")
    }
  }

  @Test(arguments: 0..<4) func randomTokensHaveTheSameVerdict(_ seed: UInt64) {
    var generator = RandomDocument(seed: 3000 + seed)
    for length in 0..<60 {
      let bytes = Array(generator.tokens(1 + length % 9).utf8)
      guard !FoundationLimits.mayAffect(bytes) else { continue }
      expectAgreement(on: bytes)
    }
  }

  /// Expects that the reader and Foundation both refuse the bytes, or both read the same value.
  private func expectAgreement(on bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let expected = FoundationValue.read(bytes)
    guard let value = try? JSON5Reader.read(bytes) else {
      #expect(expected == nil, "Foundation accepts \(text.debugDescription)")
      return
    }
    #expect(expected?.matches(value) == true, "Foundation differs on \(text.debugDescription)")
  }
}

/// The inputs that the tests skip, because Foundation's reader does not follow JSON5 there (Swift
/// 6.3.1, Linux) or reads beyond their end.
enum FoundationLimits {
  /// Whether Foundation may read an input differently. If in doubt, returns true.
  static func mayAffect(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    return hasOddEscape(text) || hasOddByte(text) || hasOddNumber(bytes)
  }

  /// Whether a text has an escape that Foundation refuses or reads differently.
  private static func hasOddEscape(_ text: String) -> Bool {
    let common: [Unicode.Scalar] = ["\\", "\"", "'", "/", "b", "f", "n", "r", "t", "u", "x"]
    let scalars = Array(text.unicodeScalars)
    let isOdd = zip(scalars, scalars.dropFirst()).contains { $0 == "\\" && !common.contains($1) }
    return isOdd || scalars.last == "\\" || text.contains("x00") || text.contains("u0000")
      || hasEscapeOutsideString(text)
  }

  /// Whether a key may have an escape. The check looks only at the character before the backslash.
  private static func hasEscapeOutsideString(_ text: String) -> Bool {
    text.contains("\\") && !(text.contains("'") || text.contains("\""))
      || ["{\\", ",\\", " \\", "e\\", "/\\", "\n\\"].contains { text.contains($0) }
  }

  /// Whether a text has a control character, a space outside ASCII or a replacement character.
  private static func hasOddByte(_ text: String) -> Bool {
    text.unicodeScalars.contains {
      $0.value < 0x20 && $0 != "\n" && $0 != "\r" || $0.isNonASCIISpace || $0 == "\u{FFFD}"
    }
  }

  /// Whether a number is long, has a hexadecimal fraction or exponent, or has an incomplete or
  /// negative exponent.
  private static func hasOddNumber(_ bytes: [UInt8]) -> Bool {
    let tokens = bytes.split { !isNumberByte($0) }
    return tokens.contains { token in
      token.count > 14 || token.contains(UInt8(ascii: "p")) || token.contains(UInt8(ascii: "P"))
        || token.contains(UInt8(ascii: ".")) && token.contains { $0 | 0x20 == UInt8(ascii: "x") }
        || zip(token, token.dropFirst()).contains { isExponent($0) && !$1.isDigit }
        || token.suffix(5).contains(where: isExponent) && token.contains(UInt8(ascii: "-"))
    }
  }

  /// Whether Foundation may treat a byte as part of a number.
  private static func isNumberByte(_ byte: UInt8) -> Bool {
    let scalar = Unicode.Scalar(byte)
    return byte < 0x80 && (scalar.isNumberPunctuation || scalar.isIdentifierPart)
      && byte != UInt8(ascii: "_") && byte != UInt8(ascii: "$")
  }

  /// Whether a byte is the letter of an exponent.
  private static func isExponent(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E")
  }
}
