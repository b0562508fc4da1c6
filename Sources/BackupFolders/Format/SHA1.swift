/// The hash by which a backup names the files that it holds (RFC 3174). No library of the toolchain
/// has it on Linux.
package enum SHA1 {
  /// How many bytes are taken at a time.
  private static let blockSize = 64

  /// The hash of bytes.
  ///
  /// - Parameter bytes: Any number of them.
  /// - Returns: 20 bytes.
  package static func hash(_ bytes: [UInt8]) -> [UInt8] {
    var state: (UInt32, UInt32, UInt32, UInt32, UInt32) = (
      0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0
    )
    var words = [UInt32](repeating: 0, count: 80)
    padded(bytes).withUnsafeBytes { padded in
      for start in stride(from: 0, to: padded.count, by: blockSize) {
        for index in 0..<16 {
          words[index] =
            padded.loadUnaligned(
              fromByteOffset: start + 4 * index, as: UInt32.self
            ).bigEndian
        }
        add(&words, to: &state)
      }
    }
    return [state.0, state.1, state.2, state.3, state.4].flatMap { word in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
    }
  }

  /// The hash in lower-case hexadecimal, 40 digits.
  ///
  /// - Parameter bytes: Any number of them.
  /// - Returns: A text of ASCII.
  package static func hexadecimal(_ bytes: [UInt8]) -> String {
    String(
      decoding: hash(bytes).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// The digits.
  private static let digits = Array("0123456789abcdef".utf8)

  /// The bytes with a bit set, zeros, and their number of bits behind them.
  private static func padded(_ bytes: [UInt8]) -> [UInt8] {
    var padded = bytes
    padded.append(0x80)
    let rest = (padded.count + 8) % blockSize
    if rest > 0 { padded.append(contentsOf: repeatElement(0, count: blockSize - rest)) }
    let bits = UInt64(bytes.count) * 8
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      padded.append(UInt8(truncatingIfNeeded: bits >> shift))
    }
    return padded
  }

  /// Takes a block into the state; its words are the first 16.
  private static func add(
    _ words: inout [UInt32], to state: inout (UInt32, UInt32, UInt32, UInt32, UInt32)
  ) {
    for index in 16..<80 {
      words[index] = rotated(
        words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], by: 1)
    }
    var (a, b, c, d, e) = state
    for index in 0..<80 {
      let (function, constant): (UInt32, UInt32) =
        switch index {
        case ..<20: ((b & c) | (~b & d), 0x5A82_7999)
        case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
        case ..<60: ((b & c) | (b & d) | (c & d), 0x8F1B_BCDC)
        default: (b ^ c ^ d, 0xCA62_C1D6)
        }
      let next = rotated(a, by: 5) &+ function &+ e &+ words[index] &+ constant
      (a, b, c, d, e) = (next, a, rotated(b, by: 30), c, d)
    }
    state = (state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d, state.4 &+ e)
  }

  /// A word, rotated to the left.
  private static func rotated(_ word: UInt32, by count: UInt32) -> UInt32 {
    word << count | word >> (32 - count)
  }
}
