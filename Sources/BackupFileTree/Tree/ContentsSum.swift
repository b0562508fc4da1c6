import BackupCollections
import Foundation

/// A number that distinguishes contents from others of the same size.
///
/// The kit can append to a sum, so that it need not read a large file again after each append.
package struct ContentsSum: Hashable, Sendable {
  /// The sum, or 0 for contents whose sum is unknown.
  private var value: UInt64

  /// The sum of contents that the kit has not read, as in a list from a device. The kit knows what
  /// it wrote, and reads all else in each snapshot of a real container, also after the app's code.
  package static let unknown = ContentsSum(value: 0)

  /// The prime modulus of sums.
  private static let modulus: UInt64 = (1 << 61) - 1
  /// The factor by which each byte multiplies a sum.
  private static let factor: UInt64 = 1_000_003

  private init(value: UInt64) {
    self.value = value
  }

  static let empty = ContentsSum(value: 1)

  package var isKnown: Bool { self != .unknown }

  mutating func append(_ bytes: [UInt8]) {
    guard isKnown else { return }
    for start in stride(from: 0, to: bytes.count, by: Self.zeros.count) {
      let range = start..<min(start + Self.zeros.count, bytes.count)
      if Self.areZeros(bytes, range) {
        appendZeros(Int64(range.count))
      } else {
        bytes[range].withUnsafeBufferPointer { append($0) }
      }
    }
  }

  /// Appends eight bytes at a time, because tests are seldom optimized, and an app may save large
  /// files.
  private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let base = bytes.baseAddress else { return }
    let wholeCount = bytes.count & ~7
    Self.summands.withUnsafeBufferPointer { summands in
      guard let summands = summands.baseAddress else { return }
      for start in stride(from: 0, to: wholeCount, by: 8) {
        let word = base + start
        let first =
          summands[Int(word[0])] &+ summands[256 &+ Int(word[1])] &+ summands[512 &+ Int(word[2])]
          &+ summands[768 &+ Int(word[3])]
        let second =
          summands[1024 &+ Int(word[4])] &+ summands[1280 &+ Int(word[5])]
          &+ summands[1536 &+ Int(word[6])] &+ summands[1792 &+ Int(word[7])]
        let shifted = Self.product(value, Self.powers[8])
        value = Self.remainder(shifted &+ Self.remainder(first &+ second))
      }
    }
    for byte in bytes[wholeCount...] {
      value = Self.remainder(Self.product(value, Self.factor) &+ UInt64(byte) &+ 1)
    }
  }

  private static let powers = (1...8).reduce(into: [1]) { powers, _ in
    powers.append(product(powers[powers.count - 1], factor))
  }
  /// The summand of each byte at each of eight places. Eight summands stay below 2^64.
  private static let summands = (0..<8).flatMap { place in
    (1...256).map { product(powers[7 - place], $0) }
  }

  /// The zeros that bytes are compared with, because tests write many files of zeros.
  private static let zeros = [UInt8](repeating: 0, count: 1 << 14)

  private static func areZeros(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    bytes[range].withUnsafeBytes { part in
      zeros.withUnsafeBytes { zeros in
        guard let part = part.baseAddress, let zeros = zeros.baseAddress else { return true }
        return memcmp(part, zeros, range.count) == 0
      }
    }
  }

  /// Appends zeros by repeated doubling. The sum is the same as for one byte after the other.
  mutating func appendZeros(_ count: Int64) {
    guard isKnown else { return }
    var (factor, summand): (UInt64, UInt64) = (Self.factor, 1)
    var rest = count
    while rest > 0 {
      if rest & 1 == 1 { value = Self.remainder(Self.product(value, factor) + summand) }
      summand = Self.remainder(Self.product(summand, factor) + summand)
      factor = Self.product(factor, factor)
      rest >>= 1
    }
  }

  /// Returns the product of two remainders, as a remainder.
  private static func product(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let (high, low) = left.multipliedFullWidth(by: right)
    return remainder((high << 3 | low >> 61) &+ (low & modulus))
  }

  /// Returns the remainder of a number by the modulus, without a division.
  private static func remainder(_ number: UInt64) -> UInt64 {
    let folded = (number & modulus) &+ (number >> 61)
    return folded >= modulus ? folded &- modulus : folded
  }

  package init(_ contents: FileOperation.Contents) {
    self = .empty
    append(contents)
  }

  package mutating func append(_ contents: FileOperation.Contents) {
    switch contents {
    case .bytes(let bytes): append(bytes)
    case .zeros(let count): appendZeros(count)
    }
  }
}

extension FileTree.FileInformation: Hashable {
  /// True if both have the same size, and both or neither are databases. Use
  /// ``mayHoldTheSame(as:)`` to find out if a file has changed.
  public static func == (left: FileTree.FileInformation, right: FileTree.FileInformation) -> Bool {
    left.size == right.size && left.isDatabase == right.isDatabase
  }

  /// Hashes the values that `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(size)
    hasher.combine(isDatabase)
  }

  /// Returns the details of the contents after an append.
  package func details(adding added: FileOperation.Contents) -> ContentsDetails? {
    guard size > 0 else { return ContentsDetails(added) }
    guard added.size > 0 else { return details }
    var parts = details?.parts ?? ChunkedArray()
    for part in [ContentsVersion(self), ContentsVersion(added)] {
      parts.insert(part, at: parts.count)
    }
    let seals = details?.seals ?? []
    let others = added.unsealed.seals.filter { !seals.contains($0) }
    return ContentsDetails(nil, parts: parts, seals: seals + others)
  }

  /// True if the contents may be the same: the sizes are equal, and the sums are equal or unknown.
  package func mayHoldTheSame(as other: FileTree.FileInformation) -> Bool {
    size == other.size
      && (!contents.isKnown || !other.contents.isKnown || contents == other.contents)
  }
}
