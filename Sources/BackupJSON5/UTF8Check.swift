/// Finds bytes that are not UTF-8, which the standard library does without saying where.
enum UTF8Check {
  /// The offset of the first byte that begins no character, or nil if all is UTF-8.
  static func firstInvalidOffset(in bytes: [UInt8]) -> Int? {
    var offset = 0
    while offset < bytes.count {
      guard let length = length(in: bytes, at: offset) else { return offset }
      offset += length
    }
    return nil
  }

  /// The bytes in the character at an offset, or nil if they are not UTF-8.
  private static func length(in bytes: [UInt8], at offset: Int) -> Int? {
    if bytes[offset] < 0x80 { return 1 }
    guard let (length, second) = shape(of: bytes[offset]), offset + length <= bytes.count,
      second.contains(bytes[offset + 1])
    else { return nil }
    let rest = bytes[(offset + 2)..<max(offset + 2, offset + length)]
    return rest.allSatisfy { (0x80...0xBF).contains($0) } ? length : nil
  }

  /// The length that a lead byte announces and the second bytes that may follow it.
  private static func shape(of lead: UInt8) -> (length: Int, second: ClosedRange<UInt8>)? {
    switch lead {
    case 0xC2...0xDF: return (2, 0x80...0xBF)
    case 0xE0: return (3, 0xA0...0xBF)
    case 0xED: return (3, 0x80...0x9F)
    case 0xE1...0xEF: return (3, 0x80...0xBF)
    case 0xF0: return (4, 0x90...0xBF)
    case 0xF1...0xF3: return (4, 0x80...0xBF)
    case 0xF4: return (4, 0x80...0x8F)
    default: return nil
    }
  }
}
