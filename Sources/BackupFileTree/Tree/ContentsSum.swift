import Foundation

/// A number that distinguishes contents from others of the same size, as far as the kit made them.
///
/// It grows with what is written to a file's end, so that a large file costs nothing to follow.
package struct ContentsSum: Hashable, Sendable {
  /// The sum, or 0 for contents whose sum is unknown.
  private var value: UInt64

  /// The sum of contents that the kit did not make, such as those of a file that was found on disk.
  package static let unknown = ContentsSum(value: 0)

  /// The prime by which sums are taken.
  private static let modulus: UInt64 = (1 << 61) - 1
  /// What a byte more multiplies a sum by.
  private static let factor: UInt64 = 1_000_003

  private init(value: UInt64) {
    self.value = value
  }

  static let empty = ContentsSum(value: 1)

  /// Whether anything is known of the contents.
  package var isKnown: Bool { self != .unknown }

  /// Notes that bytes were written to the file's end.
  mutating func append(_ bytes: [UInt8]) {
    guard isKnown else { return }
    for start in stride(from: 0, to: bytes.count, by: Self.block.count) {
      let range = start..<min(start + Self.block.count, bytes.count)
      if Self.holdsZeros(bytes, range) {
        appendZeros(Int64(range.count))
      } else {
        for byte in bytes[range] { value = Self.product(value, Self.factor) + UInt64(byte) + 1 }
        value %= Self.modulus
      }
    }
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
      if rest & 1 == 1 { value = (Self.product(value, factor) + summand) % Self.modulus }
      summand = (Self.product(summand, factor) + summand) % Self.modulus
      factor = Self.product(factor, factor)
      rest >>= 1
    }
  }

  private static func product(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let (high, low) = left.multipliedFullWidth(by: right)
    return modulus.dividingFullWidth((high, low)).remainder
  }

  package init(_ contents: FileOperation.Contents) {
    self = .empty
    append(contents)
  }

  /// Notes that contents were written to the file's end.
  mutating func append(_ contents: FileOperation.Contents) {
    switch contents {
    case .bytes(let bytes): append(bytes)
    case .zeros(let count): appendZeros(count)
    }
  }
}

extension FileTree.FileInformation: Hashable {
  /// Whether both have as many bytes, and begin alike; what a look at the disk cannot tell is left
  /// out.
  public static func == (left: FileTree.FileInformation, right: FileTree.FileInformation) -> Bool {
    left.size == right.size && left.isDatabase == right.isDatabase
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(size)
    hasher.combine(isDatabase)
  }
}

extension FileTree.FileInformation {
  /// Whether both may hold the same: as many bytes, and not known to be others.
  package func mayHoldTheSame(as other: FileTree.FileInformation) -> Bool {
    size == other.size
      && (!contents.isKnown || !other.contents.isKnown || contents == other.contents)
  }
}
