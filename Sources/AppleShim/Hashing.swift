// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

#if os(Linux)
  public import Foundation

  public protocol Digest: Hashable, Sendable, Sequence, CustomStringConvertible
  where Element == UInt8 {
    static var byteCount: Int { get }
    static var title: String { get }
    var bytes: [UInt8] { get }
  }

  extension Digest {
    public var description: String {
      "\(Self.title) digest: " + bytes.map { String(format: "%02x", $0) }.joined()
    }

    public func makeIterator() -> Array<UInt8>.Iterator { bytes.makeIterator() }

    public func withUnsafeBytes<Value>(
      _ body: (UnsafeRawBufferPointer) throws -> Value
    ) rethrows -> Value {
      try bytes.withUnsafeBytes(body)
    }
  }

  public struct SHA256Digest: Digest {
    public static let byteCount = 32
    public static let title = "SHA256"
    public let bytes: [UInt8]
  }

  public protocol HashFunction {
    associatedtype Digest: AppleShim.Digest

    init()
    mutating func update(data: some DataProtocol)
    func finalize() -> Digest
  }

  extension HashFunction {
    public static func hash(data: some DataProtocol) -> Digest {
      var function = Self()
      function.update(data: data)
      return function.finalize()
    }
  }

  public struct SHA256: HashFunction {
    private var blocks = Blocks()
    private var state: [UInt32] = [
      0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
      0x5be0_cd19,
    ]

    public init() {}

    public mutating func update(data: some DataProtocol) {
      for block in blocks.add(data) { mix(block) }
    }

    public func finalize() -> SHA256Digest {
      var copy = self
      for block in copy.blocks.end(lengthIsBigEndian: true) { copy.mix(block) }
      return SHA256Digest(
        bytes: copy.state.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } })
    }

    private mutating func mix(_ block: [UInt8]) {
      var words = (0..<16).map { word in
        block[4 * word..<4 * word + 4].reduce(0) { $0 << 8 | UInt32($1) }
      }
      for index in 16..<64 {
        let (one, other) = (words[index - 15], words[index - 2])
        let low = rotated(one, 25) ^ rotated(one, 14) ^ one >> 3
        let high = rotated(other, 15) ^ rotated(other, 13) ^ other >> 10
        words.append(words[index - 16] &+ low &+ words[index - 7] &+ high)
      }
      var (a, b, c, d) = (state[0], state[1], state[2], state[3])
      var (e, f, g, h) = (state[4], state[5], state[6], state[7])
      for index in 0..<64 {
        let high = rotated(e, 26) ^ rotated(e, 21) ^ rotated(e, 7)
        let first = h &+ high &+ (e & f ^ ~e & g) &+ Self.constants[index] &+ words[index]
        let low = rotated(a, 30) ^ rotated(a, 19) ^ rotated(a, 10)
        let second = low &+ (a & b ^ a & c ^ b & c)
        (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
      }
      for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
    }

    /// The first 32 bits of the fractions of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = [
      0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
      0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
      0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
      0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
      0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
      0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
      0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
      0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
      0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
      0xc671_78f2,
    ]
  }

  public enum Insecure {
    public struct MD5Digest: Digest {
      public static let byteCount = 16
      public static let title = "MD5"
      public let bytes: [UInt8]
    }

    public struct MD5: HashFunction {
      private var blocks = Blocks()
      private var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476]

      public init() {}

      public mutating func update(data: some DataProtocol) {
        for block in blocks.add(data) { mix(block) }
      }

      public func finalize() -> MD5Digest {
        var copy = self
        for block in copy.blocks.end(lengthIsBigEndian: false) { copy.mix(block) }
        return MD5Digest(
          bytes: copy.state.flatMap { word in withUnsafeBytes(of: word.littleEndian) { Array($0) } }
        )
      }

      private mutating func mix(_ block: [UInt8]) {
        let words = (0..<16).map { word in
          block[4 * word..<4 * word + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        for index in 0..<64 {
          let (mixed, word) =
            switch index / 16 {
            case 0: (b & c | ~b & d, index)
            case 1: (d & b | ~d & c, (5 * index + 1) % 16)
            case 2: (b ^ c ^ d, (3 * index + 5) % 16)
            default: (c ^ (b | ~d), 7 * index % 16)
            }
          let constant = UInt32(abs(sin(Double(index + 1))) * 4_294_967_296)
          let turn = Self.turns[index / 16][index % 4]
          let sum = a &+ mixed &+ constant &+ words[word]
          (a, d, c, b) = (d, c, b, b &+ rotated(sum, turn))
        }
        for (index, word) in [a, b, c, d].enumerated() { state[index] &+= word }
      }

      private static let turns: [[UInt32]] = [
        [7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21],
      ]
    }
  }

  /// Cuts data into blocks of 64 bytes.
  private struct Blocks {
    private var rest: [UInt8] = []
    private var count = 0

    mutating func add(_ data: some DataProtocol) -> [[UInt8]] {
      rest += data
      count += data.count
      let end = rest.count / 64 * 64
      defer { rest.removeFirst(end) }
      return stride(from: 0, to: end, by: 64).map { Array(rest[$0..<$0 + 64]) }
    }

    mutating func end(lengthIsBigEndian: Bool) -> [[UInt8]] {
      let bits = UInt64(count) * 8
      let zeros = [UInt8](repeating: 0, count: (119 - count % 64) % 64)
      let length = withUnsafeBytes(of: lengthIsBigEndian ? bits.bigEndian : bits.littleEndian) {
        Array($0)
      }
      return add([0x80] + zeros + length)
    }
  }

  private func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word << count | word >> (32 - count)
  }
#endif
