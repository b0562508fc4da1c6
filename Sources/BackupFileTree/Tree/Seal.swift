import Foundation

/// A keychain item with which an app encrypts contents, identified by its name and its value.
package struct Seal: Hashable, Sendable {
  package let name: String
  package let value: String

  /// Creates a seal. Removes control characters, which separate its parts in a file.
  package init(name: String, value: String) {
    func cleaned(_ text: String) -> String { text.filter { $0 >= " " } }
    (self.name, self.value) = (cleaned(name), cleaned(value))
  }
}

extension FileOperation.Contents {
  /// The maximum number of bytes that the kit seals, because it keeps them in memory.
  package static let mostSealed: Int64 = 1_000_000

  private static let (start, middle, end): (UInt8, UInt8, UInt8) = (0x0E, 0x1F, 0x0F)

  /// Returns the contents as the app encrypts them: the kit only writes the seal in front of them,
  /// so that disks, copies and backups keep it. Zeros keep their size.
  package func sealed(with seal: Seal) -> FileOperation.Contents {
    let header =
      [Self.start] + Array(seal.name.utf8) + [Self.middle] + Array(seal.value.utf8) + [Self.end]
    guard case .zeros(let size) = self, size <= Self.mostSealed else {
      return .bytes(header + knownBytes)
    }
    return .bytes(header + [UInt8](repeating: 0, count: max(0, Int(size) - header.count)))
  }

  /// The seals of the contents and of appended parts, and the contents without them.
  package var unsealed: (seals: [Seal], contents: FileOperation.Contents) {
    // The system's search is fast, and few files have a seal.
    let hasStart = knownBytes.withUnsafeBytes { bytes in
      bytes.baseAddress.flatMap { memchr($0, Int32(Self.start), bytes.count) } != nil
    }
    guard hasStart else { return ([], self) }
    let parts = knownBytes.split(separator: Self.start, omittingEmptySubsequences: false)
    var (seals, plain): ([Seal], [UInt8]) = ([], Array(parts[0]))
    for part in parts.dropFirst() {
      let header = part.prefix { $0 != Self.end }
      let fields = header.split(separator: Self.middle, omittingEmptySubsequences: false)
      // Other binary contents have such bytes too. Decoding them as text takes long.
      guard header.count < part.count, fields.count == 2 else {
        plain += [Self.start] + part
        continue
      }
      let seal = Seal(
        name: String(decoding: fields[0], as: UTF8.self),
        value: String(decoding: fields[1], as: UTF8.self))
      if !seals.contains(seal) { seals.append(seal) }
      plain += part.dropFirst(header.count + 1)
    }
    return (seals, seals.isEmpty ? self : .bytes(plain))
  }

  /// The bytes, or none if only the size is known.
  package var knownBytes: [UInt8] { if case .bytes(let bytes) = self { bytes } else { [] } }
}
