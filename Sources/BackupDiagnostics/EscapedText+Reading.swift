extension EscapedText {
  /// The bytes of a text that ``escape(_:)`` made; nil for any other.
  package static func unescape(_ text: some StringProtocol) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      guard let letter = rest.popFirst(), let taken = bytesOfEscape(letter, &rest) else {
        return nil
      }
      bytes += taken
    }
    return bytes
  }

  /// The bytes of an escape, whose letter was already taken.
  private static func bytesOfEscape(
    _ letter: UInt8, _ rest: inout ArraySlice<UInt8>
  ) -> [UInt8]? {
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
