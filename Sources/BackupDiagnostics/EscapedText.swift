/// Escapes text, so that a name with any bytes fits on one line of a report.
package enum EscapedText {
  /// Returns the text of `bytes`, with escapes for characters that a reader would not see.
  ///
  /// A newline, a carriage return and a tab become `\n`, `\r` and `\t`. Other control characters,
  /// line separators, and characters that are invisible or change the text's direction become
  /// `\u{…}`. A backslash becomes `\\`, and a byte that is not UTF-8 becomes `\xHH`.
  package static func escape(_ bytes: [UInt8]) -> String {
    if bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }) {
      return String(decoding: bytes, as: UTF8.self)
    }
    var escapedText = ""
    var remainingBytes = bytes[...]
    var previousScalar: Unicode.Scalar?
    while !remainingBytes.isEmpty {
      var decoder = UTF8()
      var iterator = remainingBytes.makeIterator()
      guard case .scalarValue(let scalar) = decoder.decode(&iterator) else {
        escapedText += "\\x" + hexadecimal(UInt32(remainingBytes.removeFirst()), digits: 2)
        previousScalar = nil
        continue
      }
      remainingBytes.removeFirst(UTF8.width(scalar))
      escapedText +=
        isPrintable(scalar, after: previousScalar) ? String(scalar) : escapeSequence(scalar)
      previousScalar = scalar
    }
    return escapedText
  }

  /// Returns the text with the same escapes. An escape in the text is escaped again: `\n` becomes
  /// `\\n`.
  package static func escape(_ text: String) -> String {
    escape(Array(text.utf8))
  }

  /// Returns true if a character is visible and does not move its neighbors.
  private static func isPrintable(
    _ scalar: Unicode.Scalar, after previousScalar: Unicode.Scalar?
  ) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x5C, 0x7F..<0xA0, 0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x180E, 0x200B, 0x200E,
      0x200F,
      0x2028...0x202E, 0x2060...0x206F, 0x3164, 0xFEFF, 0xFFA0, 0xFFF0...0xFFFB, 0xE0001:
      false
    case 0x200C, 0x200D, 0x180B...0x180D, 0xFE00...0xFE0F, 0xE0020...0xE01EF:
      // These characters join letters or parts of an emoji, or choose their form. After ASCII, only
      // U+FE0F has an effect: it makes an emoji of a digit, `#` or `*`.
      previousScalar.map { !$0.isASCII || scalar == "\u{FE0F}" && $0.properties.isEmoji } ?? false
    default:
      true
    }
  }

  /// Returns the text on one line. Backslashes are not escaped.
  fileprivate static func escapeOnOneLine(_ text: String) -> String {
    var escapedText = ""
    var previousScalar: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      let isUnescaped = scalar == "\\" || isPrintable(scalar, after: previousScalar)
      escapedText += isUnescaped ? String(scalar) : escapeSequence(scalar)
      previousScalar = scalar
    }
    return escapedText
  }

  private static func escapeSequence(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\\": "\\\\"
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{" + hexadecimal(scalar.value, digits: 1) + "}"
    }
  }

  /// Returns a number in upper-case hexadecimal, padded with zeros to a number of digits.
  package static func hexadecimal(_ value: UInt32, digits: Int) -> String {
    let text = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }

  /// Returns the bytes of an escaped text, or nil if an escape in it is not valid.
  package static func unescape(_ text: some StringProtocol) -> [UInt8]? {
    var bytes: [UInt8] = []
    var remainingBytes = Array(text.utf8)[...]
    while let byte = remainingBytes.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      guard let letter = remainingBytes.popFirst(),
        let decodedBytes = decodeEscape(letter, &remainingBytes)
      else {
        return nil
      }
      bytes += decodedBytes
    }
    return bytes
  }

  /// Returns the bytes of one escape, or nil if the escape is not valid. `letter` follows the
  /// backslash. The method removes the end of the escape, such as `41` of `\x41`, from
  /// `remainingBytes`.
  private static func decodeEscape(
    _ letter: UInt8, _ remainingBytes: inout ArraySlice<UInt8>
  ) -> [UInt8]? {
    switch letter {
    case UInt8(ascii: "\\"): return [letter]
    case UInt8(ascii: "n"): return [10]
    case UInt8(ascii: "r"): return [13]
    case UInt8(ascii: "t"): return [9]
    case UInt8(ascii: "x"):
      guard remainingBytes.count >= 2 else { return nil }
      defer { remainingBytes = remainingBytes.dropFirst(2) }
      return UInt8(String(decoding: remainingBytes.prefix(2), as: UTF8.self), radix: 16).map {
        [$0]
      }
    case UInt8(ascii: "u"):
      guard remainingBytes.popFirst() == UInt8(ascii: "{"),
        let end = remainingBytes.firstIndex(of: UInt8(ascii: "}")),
        let value = UInt32(String(decoding: remainingBytes[..<end], as: UTF8.self), radix: 16),
        let scalar = Unicode.Scalar(value)
      else { return nil }
      remainingBytes = remainingBytes[(end + 1)...]
      return Array(String(scalar).utf8)
    default: return nil
    }
  }
}

extension String {
  /// Creates a text from UTF-8 bytes, or returns nil for other bytes. The standard library's own
  /// initializer needs macOS 15 and iOS 18.
  package init?(validUTF8 bytes: [UInt8]) {
    self.init(decoding: bytes, as: UTF8.self)
    guard utf8.elementsEqual(bytes) else { return nil }
  }

  /// The text on one line. Characters that are invisible or change the text's direction are escaped
  /// as in golden files. Backslashes stay, so that no escape is escaped again.
  package var onOneLine: String {
    if utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return self }
    return EscapedText.escapeOnOneLine(self)
  }

  /// The line, ready for a log. Build servers take a line that begins with `::` (GitHub Actions) or
  /// `##[` (Azure Pipelines) for a command, so such a line is in quotes.
  package var asLogLine: String {
    let start = drop { $0 == " " }
    return start.hasPrefix("::") || start.hasPrefix("##[") ? "'\(self)'" : self
  }

  /// The text as a message quotes it: escaped, and cut after 60 characters. It is also cut after
  /// 240 Unicode scalars, because one character may have any number of scalars.
  package var escapedExcerpt: String {
    let beginning = String(String(unicodeScalars.prefix(240)).prefix(60))
    return EscapedText.escape(beginning) + (beginning.utf8.count < utf8.count ? "…" : "")
  }
}
