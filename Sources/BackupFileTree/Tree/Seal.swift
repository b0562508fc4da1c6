import Foundation

/// The name and value of the keychain item with which an app has encrypted a file.
package struct Seal: Hashable, Sendable {
  package let name: String
  package let value: String

  /// Creates a seal. Removes control characters from both texts, because some of them separate the
  /// name from the value in a file.
  package init(name: String, value: String) {
    func withoutControls(_ text: String) -> String { text.filter { $0 >= " " } }
    (self.name, self.value) = (withoutControls(name), withoutControls(value))
  }
}

extension FileOperation.Contents {
  /// The maximum size in bytes of contents that the kit seals. The kit keeps sealed contents in
  /// memory.
  package static let maximumSealedSize: Int64 = 1_000_000

  private static let (headerStart, separator, headerEnd): (UInt8, UInt8, UInt8) = (0x0E, 0x1F, 0x0F)

  /// Returns the contents with a header that has the seal. The kit does not really encrypt the
  /// contents. Disks, copies and backups keep the header, because it is part of the file.
  ///
  /// For ``zeros(_:)``, the header replaces the first zeros. So the size changes only if the header
  /// is longer than the zeros. The caller must pass at most ``maximumSealedSize`` zeros.
  package func sealed(with seal: Seal) -> FileOperation.Contents {
    let header =
      [Self.headerStart] + Array(seal.name.utf8) + [Self.separator] + Array(seal.value.utf8)
      + [Self.headerEnd]
    guard case .zeros(let size) = self, size <= Self.maximumSealedSize else {
      return .bytes(header + knownBytes)
    }
    return .bytes(header + [UInt8](repeating: 0, count: max(0, Int(size) - header.count)))
  }

  /// The seals in the contents, and the contents without the headers. Appended contents can have
  /// headers of their own.
  package var unsealed: (seals: [Seal], contents: FileOperation.Contents) {
    // Few files have a seal. With memchr(3), this method returns early for all other files.
    let mayHaveHeader = knownBytes.withUnsafeBytes { bytes in
      bytes.baseAddress.flatMap { memchr($0, Int32(Self.headerStart), bytes.count) } != nil
    }
    guard mayHaveHeader else { return ([], self) }
    let segments = knownBytes.split(separator: Self.headerStart, omittingEmptySubsequences: false)
    var (seals, plainBytes): ([Seal], [UInt8]) = ([], Array(segments[0]))
    for segment in segments.dropFirst() {
      let header = segment.prefix { $0 != Self.headerEnd }
      let fields = header.split(separator: Self.separator, omittingEmptySubsequences: false)
      // Other binary contents can have the first byte of a header too. Such contents stay as
      // they are, because decoding them as text would be slow.
      guard header.count < segment.count, fields.count == 2 else {
        plainBytes += [Self.headerStart] + segment
        continue
      }
      let seal = Seal(
        name: String(decoding: fields[0], as: UTF8.self),
        value: String(decoding: fields[1], as: UTF8.self))
      if !seals.contains(seal) { seals.append(seal) }
      plainBytes += segment.dropFirst(header.count + 1)
    }
    return (seals, seals.isEmpty ? self : .bytes(plainBytes))
  }

  /// The bytes; empty for ``zeros(_:)``.
  package var knownBytes: [UInt8] { if case .bytes(let bytes) = self { bytes } else { [] } }
}
