import BackupCollections
import Foundation

/// A checksum of a file's contents. It distinguishes different contents of the same size.
///
/// The kit can append to a checksum, so that it need not read a large file again after each append.
package struct ContentsChecksum: Hashable, Sendable {
  /// The checksum; 0 if it is unknown.
  private var value: UInt64

  /// The checksum of contents that the kit has not read, such as those of the files in a
  /// ``ContainerList``.
  package static let unknown = ContentsChecksum(value: 0)

  /// The prime modulus of checksums.
  private static let modulus: UInt64 = (1 << 61) - 1
  /// The number by which a checksum is multiplied before each byte is added.
  private static let factor: UInt64 = 1_000_003

  private init(value: UInt64) {
    self.value = value
  }

  /// The checksum of an empty file.
  static let empty = ContentsChecksum(value: 1)

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

  /// Appends eight bytes at a time. Tests are seldom optimized, so it would take long to append the
  /// bytes of a large file one by one.
  private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let base = bytes.baseAddress else { return }
    let byteCountInWords = bytes.count & ~7
    Self.summands.withUnsafeBufferPointer { summands in
      guard let summands = summands.baseAddress else { return }
      for start in stride(from: 0, to: byteCountInWords, by: 8) {
        let word = base + start
        let firstHalf =
          summands[Int(word[0])] &+ summands[256 &+ Int(word[1])] &+ summands[512 &+ Int(word[2])]
          &+ summands[768 &+ Int(word[3])]
        let secondHalf =
          summands[1024 &+ Int(word[4])] &+ summands[1280 &+ Int(word[5])]
          &+ summands[1536 &+ Int(word[6])] &+ summands[1792 &+ Int(word[7])]
        let shiftedValue = Self.product(value, Self.powers[8])
        value = Self.remainder(shiftedValue &+ Self.remainder(firstHalf &+ secondHalf))
      }
    }
    for byte in bytes[byteCountInWords...] {
      value = Self.remainder(Self.product(value, Self.factor) &+ UInt64(byte) &+ 1)
    }
  }

  /// The powers of ``factor``, from 0 to 8.
  private static let powers = (1...8).reduce(into: [1]) { powers, _ in
    powers.append(product(powers[powers.count - 1], factor))
  }
  /// The summands for each byte value at each of eight positions. The sum of eight summands is
  /// below 2^64.
  private static let summands = (0..<8).flatMap { position in
    (1...256).map { product(powers[7 - position], $0) }
  }

  /// Zeros for comparisons, because tests write many files of zeros.
  private static let zeros = [UInt8](repeating: 0, count: 1 << 14)

  private static func areZeros(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    bytes[range].withUnsafeBytes { bytes in
      zeros.withUnsafeBytes { zeros in
        guard let bytes = bytes.baseAddress, let zeros = zeros.baseAddress else { return true }
        return memcmp(bytes, zeros, range.count) == 0
      }
    }
  }

  /// Appends zeros by repeated doubling. The result is the same as after appending them one by one.
  mutating func appendZeros(_ count: Int64) {
    guard isKnown else { return }
    var (factor, summand): (UInt64, UInt64) = (Self.factor, 1)
    var remainingCount = count
    while remainingCount > 0 {
      if remainingCount & 1 == 1 { value = Self.remainder(Self.product(value, factor) + summand) }
      summand = Self.remainder(Self.product(summand, factor) + summand)
      factor = Self.product(factor, factor)
      remainingCount >>= 1
    }
  }

  /// Returns the product of two remainders by the modulus, again as a remainder.
  private static func product(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let (high, low) = left.multipliedFullWidth(by: right)
    return remainder((high << 3 | low >> 61) &+ (low & modulus))
  }

  /// Returns the remainder of a number by the modulus, without a division.
  private static func remainder(_ number: UInt64) -> UInt64 {
    let foldedNumber = (number & modulus) &+ (number >> 61)
    return foldedNumber >= modulus ? foldedNumber &- modulus : foldedNumber
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
  /// Returns true if both files have the same size, and if both or neither are databases. To find
  /// out whether a file has changed, use ``mayHaveSameContents(as:)`` instead.
  public static func == (left: FileTree.FileInformation, right: FileTree.FileInformation) -> Bool {
    left.size == right.size && left.isDatabase == right.isDatabase
  }

  /// Hashes the values that `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(size)
    hasher.combine(isDatabase)
  }

  /// Returns the details of the file's contents after other contents are appended.
  package func details(adding appendedContents: FileOperation.Contents) -> ContentsDetails? {
    guard size > 0 else { return ContentsDetails(appendedContents) }
    guard appendedContents.size > 0 else { return details }
    var versions = details?.appendVersions ?? ChunkedArray()
    for version in [ContentsVersion(self), ContentsVersion(appendedContents)] {
      versions.insert(version, at: versions.count)
    }
    let seals = details?.seals ?? []
    let newSeals = appendedContents.unsealed.seals.filter { !seals.contains($0) }
    return ContentsDetails(nil, appendVersions: versions, seals: seals + newSeals)
  }

  /// Returns true if both files may have the same contents: the sizes are equal, and the checksums
  /// are equal or unknown.
  package func mayHaveSameContents(as other: FileTree.FileInformation) -> Bool {
    size == other.size
      && (!checksum.isKnown || !other.checksum.isKnown || checksum == other.checksum)
  }
}
