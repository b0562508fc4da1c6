import BackupCollections
import Foundation

/// A number that distinguishes contents from others of the same size.
///
/// It grows with what is written to a file's end, so that a large file costs nothing to follow.
package struct ContentsSum: Hashable, Sendable {
  /// The sum, or 0 for contents whose sum is unknown.
  private var value: UInt64

  /// The sum of contents that nobody has read. The kit knows what it wrote itself, and reads the rest at
  /// each look at a real container, after the app's code too; a list from a device has no contents.
  package static let unknown = ContentsSum(value: 0)

  /// The prime by which sums are taken.
  private static let modulus: UInt64 = (1 << 61) - 1
  /// What a byte more multiplies a sum by.
  private static let factor: UInt64 = 1_000_003

  private init(value: UInt64) {
    self.value = value
  }

  static let empty = ContentsSum(value: 1)

  package var isKnown: Bool { self != .unknown }

  mutating func append(_ bytes: [UInt8]) {
    guard isKnown else { return }
    for start in stride(from: 0, to: bytes.count, by: Self.block.count) {
      let range = start..<min(start + Self.block.count, bytes.count)
      if Self.holdsZeros(bytes, range) {
        appendZeros(Int64(range.count))
      } else {
        bytes[range].withUnsafeBufferPointer { append($0) }
      }
    }
  }

  /// Takes the sum of eight bytes at a time: the app's tests are seldom optimized, and an app may save
  /// large files.
  private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let next = bytes.baseAddress else { return }
    let wholeCount = bytes.count & ~7
    Self.summands.withUnsafeBufferPointer { summands in
      guard let summands = summands.baseAddress else { return }
      for start in stride(from: 0, to: wholeCount, by: 8) {
        let at = next + start
        let first =
          summands[Int(at[0])] &+ summands[256 &+ Int(at[1])] &+ summands[512 &+ Int(at[2])]
          &+ summands[768 &+ Int(at[3])]
        let second =
          summands[1024 &+ Int(at[4])] &+ summands[1280 &+ Int(at[5])]
          &+ summands[1536 &+ Int(at[6])] &+ summands[1792 &+ Int(at[7])]
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
  /// What each byte adds by its place among eight; all eight together stay below 2^64.
  private static let summands = (0..<8).flatMap { place in
    (1...256).map { product(powers[7 - place], $0) }
  }

  /// As many zeros as are looked for at once: much of what tests write holds nothing else.
  private static let block = [UInt8](repeating: 0, count: 1 << 14)

  private static func holdsZeros(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    bytes[range].withUnsafeBytes { part in
      block.withUnsafeBytes { zeros in
        guard let part = part.baseAddress, let zeros = zeros.baseAddress else { return true }
        return memcmp(part, zeros, range.count) == 0
      }
    }
  }

  /// Notes that bytes of zero were: the same as one byte after the other, by doubling.
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

  /// The product of two remainders, which is one.
  private static func product(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let (high, low) = left.multipliedFullWidth(by: right)
    return remainder((high << 3 | low >> 61) &+ (low & modulus))
  }

  /// The remainder by the modulus, for which no division is needed.
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
  /// True if both have as many bytes and begin alike. Use ``mayHoldTheSame(as:)`` to find out if a
  /// file has changed.
  public static func == (left: FileTree.FileInformation, right: FileTree.FileInformation) -> Bool {
    left.size == right.size && left.isDatabase == right.isDatabase
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(size)
    hasher.combine(isDatabase)
  }

  /// The details of the contents after something is added at the end.
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

  /// True if the file need not have changed: both have as many bytes, which are not known to
  /// differ.
  package func mayHoldTheSame(as other: FileTree.FileInformation) -> Bool {
    size == other.size
      && (!contents.isKnown || !other.contents.isKnown || contents == other.contents)
  }
}
