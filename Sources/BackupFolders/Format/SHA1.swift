/// The hash by which a backup names its files (RFC 3174). The kit implements this hash, because
/// no library of the toolchain has it on Linux.
package struct SHA1: Hashable, Sendable {
  // The five words of the hash, with their names from the RFC.
  private var a: UInt32 = 0x6745_2301
  private var b: UInt32 = 0xEFCD_AB89
  private var c: UInt32 = 0x98BA_DCFE
  private var d: UInt32 = 0x1032_5476
  private var e: UInt32 = 0xC3D2_E1F0

  private static let blockSize = 64

  package init(of bytes: [UInt8]) {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 80) { words in
      Self.padded(bytes).withUnsafeBytes { padded in
        for start in stride(from: 0, to: padded.count, by: Self.blockSize) {
          for index in 0..<16 {
            let word = padded.loadUnaligned(fromByteOffset: start + 4 * index, as: UInt32.self)
            words.initializeElement(at: index, to: word.bigEndian)
          }
          add(words)
        }
      }
    }
  }

  /// Creates a hash from 40 lowercase hexadecimal digits; returns nil for any other text.
  init?(hexadecimal text: UnsafeRawBufferPointer) {
    guard text.count == 40 else { return nil }
    var words: (UInt32, UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0, 0)
    for byte in text {
      guard let digit = Self.value(of: byte) else { return nil }
      words.0 = words.0 << 4 | words.1 >> 28
      words.1 = words.1 << 4 | words.2 >> 28
      words.2 = words.2 << 4 | words.3 >> 28
      words.3 = words.3 << 4 | words.4 >> 28
      words.4 = words.4 << 4 | digit
    }
    (a, b, c, d, e) = words
  }

  /// The hash as 40 lowercase hexadecimal digits.
  package var hexadecimal: String {
    let words = [a, b, c, d, e]
    let digits = (0..<40).map { index in
      Self.digits[Int(words[index / 8] >> UInt32(28 - 4 * (index % 8)) & 15)]
    }
    return String(decoding: digits, as: UTF8.self)
  }

  var firstByte: UInt8 { UInt8(a >> 24) }

  private static let digits = Array("0123456789abcdef".utf8)

  private static func value(of digit: UInt8) -> UInt32? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(digit - UInt8(ascii: "a")) + 10
    default: nil
    }
  }

  /// Returns the bytes with the padding of RFC 3174: a bit that is set, zeros, and the number of
  /// bits before the padding.
  private static func padded(_ bytes: [UInt8]) -> [UInt8] {
    let zeros = (2 * blockSize - 9 - bytes.count % blockSize) % blockSize
    var padded: [UInt8] = []
    padded.reserveCapacity(bytes.count + 9 + zeros)
    padded += bytes
    padded.append(0x80)
    padded.append(contentsOf: repeatElement(0, count: zeros))
    withUnsafeBytes(of: (UInt64(bytes.count) * 8).bigEndian) { padded += $0 }
    return padded
  }

  /// Adds a block to the hash. The first 16 of the 80 words are the block. The method computes the
  /// last 64.
  private mutating func add(_ words: UnsafeMutableBufferPointer<UInt32>) {
    for index in 16..<80 {
      let word = words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16]
      words.initializeElement(at: index, to: Self.rotated(word, by: 1))
    }
    let before = self
    for word in words[..<20] { mix(b & c | ~b & d, 0x5A82_7999, word) }
    for word in words[20..<40] { mix(b ^ c ^ d, 0x6ED9_EBA1, word) }
    for word in words[40..<60] { mix(b & c | b & d | c & d, 0x8F1B_BCDC, word) }
    for word in words[60...] { mix(b ^ c ^ d, 0xCA62_C1D6, word) }
    (a, b, c) = (a &+ before.a, b &+ before.b, c &+ before.c)
    (d, e) = (d &+ before.d, e &+ before.e)
  }

  private mutating func mix(_ function: UInt32, _ constant: UInt32, _ word: UInt32) {
    let next = Self.rotated(a, by: 5) &+ function &+ e &+ constant &+ word
    (a, b, c, d, e) = (next, a, Self.rotated(b, by: 30), c, d)
  }

  private static func rotated(_ word: UInt32, by count: UInt32) -> UInt32 {
    word << count | word >> (32 - count)
  }
}
