/// The escapes that keep a name of any bytes on one line of a report.
package enum EscapedText {
  /// Returns the text of `bytes`, with escapes for characters that a reader would not see.
  ///
  /// Control characters, line separators, and characters that have no width or change the direction
  /// become `\u{…}`, or `\n`, `\r` and `\t`. Backslashes become `\\`, and bytes that are not UTF-8
  /// become `\xHH`.
  package static func escape(_ bytes: [UInt8]) -> String {
    if bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }) {
      return String(decoding: bytes, as: UTF8.self)
    }
    var escaped = ""
    var rest = bytes[...]
    var last: Unicode.Scalar?
    while !rest.isEmpty {
      var decoder = UTF8()
      var iterator = rest.makeIterator()
      guard case .scalarValue(let scalar) = decoder.decode(&iterator) else {
        escaped += "\\x" + hexadecimal(UInt32(rest.removeFirst()), digits: 2)
        last = nil
        continue
      }
      rest.removeFirst(UTF8.width(scalar))
      escaped += isPrintable(scalar, after: last) ? String(scalar) : escapeSequence(scalar)
      last = scalar
    }
    return escaped
  }

  /// Returns the text with the same escapes. Escapes in it are escaped again.
  package static func escape(_ text: String) -> String {
    escape(Array(text.utf8))
  }

  /// True if a character is visible and leaves its neighbors in their places.
  private static func isPrintable(_ scalar: Unicode.Scalar, after last: Unicode.Scalar?) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x5C, 0x7F..<0xA0, 0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x180E, 0x200B, 0x200E,
      0x200F,
      0x2028...0x202E, 0x2060...0x206F, 0x3164, 0xFEFF, 0xFFA0, 0xFFF0...0xFFFB, 0xE0001:
      false
    case 0x200C, 0x200D, 0x180B...0x180D, 0xFE00...0xFE0F, 0xE0020...0xE01EF:
      // These characters join letters of some scripts or the parts of an emoji, or choose a form of
      // these.
      last.map { !$0.isASCII || scalar == "\u{FE0F}" && $0.properties.isEmoji } ?? false
    default:
      true
    }
  }

  /// Returns the text on one line. Its backslashes stay.
  fileprivate static func escapeOnOneLine(_ text: String) -> String {
    var escaped = ""
    var last: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      let isShown = scalar == "\\" || isPrintable(scalar, after: last)
      escaped += isShown ? String(scalar) : escapeSequence(scalar)
      last = scalar
    }
    return escaped
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
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      guard let letter = rest.popFirst(), let decoded = decodeEscape(letter, &rest) else {
        return nil
      }
      bytes += decoded
    }
    return bytes
  }

  /// Returns the bytes of an escape after its letter, or nil if the escape is not valid.
  private static func decodeEscape(_ letter: UInt8, _ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
    switch letter {
    case UInt8(ascii: "\\"): return [letter]
    case UInt8(ascii: "n"): return [10]
    case UInt8(ascii: "r"): return [13]
    case UInt8(ascii: "t"): return [9]
    case UInt8(ascii: "x"):
      guard rest.count >= 2 else { return nil }
      defer { rest = rest.dropFirst(2) }
      return UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16).map { [$0] }
    case UInt8(ascii: "u"):
      guard rest.popFirst() == UInt8(ascii: "{"),
        let end = rest.firstIndex(of: UInt8(ascii: "}")),
        let value = UInt32(String(decoding: rest[..<end], as: UTF8.self), radix: 16),
        let scalar = Unicode.Scalar(value)
      else { return nil }
      rest = rest[(end + 1)...]
      return Array(String(scalar).utf8)
    default: return nil
    }
  }
}

extension String {
  /// Creates the text of UTF-8 bytes, or returns nil for other bytes. The standard library's own
  /// initializer needs macOS 15 and iOS 18.
  package init?(validUTF8 bytes: [UInt8]) {
    self.init(decoding: bytes, as: UTF8.self)
    guard utf8.elementsEqual(bytes) else { return nil }
  }

  /// The text on one line, with escapes as in golden files for characters that are not visible or
  /// change the direction. Backslashes stay, so that nothing is escaped twice.
  package var onOneLine: String {
    if utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return self }
    return EscapedText.escapeOnOneLine(self)
  }

  /// The line, in quotes if a build machine would take it for a command in a log.
  package var asLogLine: String {
    let start = drop { $0 == " " }
    return start.hasPrefix("::") || start.hasPrefix("##[") ? "'\(self)'" : self
  }

  /// The text as a message quotes it: escaped to stay on one line, and cut after 60 characters or
  /// 240 Unicode scalars, because a character may have any number of scalars.
  package var shown: String {
    let begin = String(String(unicodeScalars.prefix(240)).prefix(60))
    return EscapedText.escape(begin) + (begin.utf8.count < utf8.count ? "…" : "")
  }
}
