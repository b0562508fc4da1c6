import Foundation

/// The keychain item with which an app encrypts contents: one of a name, as long as it has the same value.
package struct Seal: Hashable, Sendable {
  package let name: String
  package let value: String

  /// A seal, without control characters, which separate its parts in a file.
  package init(name: String, value: String) {
    func cleaned(_ text: String) -> String { text.filter { $0 >= " " } }
    (self.name, self.value) = (cleaned(name), cleaned(value))
  }
}

extension FileOperation.Contents {
  /// The most bytes that the kit seals, because it keeps them in memory.
  package static let mostSealed: Int64 = 1_000_000

  private static let (start, middle, end): (UInt8, UInt8, UInt8) = (0x0E, 0x1F, 0x0F)

  /// The contents as the app encrypts them. The kit leaves them readable and writes the seal in front of them: so a
  /// disk, a copy and a backup keep it without knowing of it. A file of a size keeps its size.
  package func sealed(with seal: Seal) -> FileOperation.Contents {
    let note =
      [Self.start] + Array(seal.name.utf8) + [Self.middle] + Array(seal.value.utf8) + [Self.end]
    guard case .zeros(let size) = self, size <= Self.mostSealed else {
      return .bytes(note + knownBytes)
    }
    return .bytes(note + [UInt8](repeating: 0, count: max(0, Int(size) - note.count)))
  }

  /// The seals of the contents and of parts that were appended, and the contents without them.
  package var unsealed: (seals: [Seal], contents: FileOperation.Contents) {
    // The system's search is fast, and few files have a seal.
    let hasStart = knownBytes.withUnsafeBytes { bytes in
      bytes.baseAddress.flatMap { memchr($0, Int32(Self.start), bytes.count) } != nil
    }
    guard hasStart else { return ([], self) }
    let parts = knownBytes.split(separator: Self.start, omittingEmptySubsequences: false)
    var (seals, plain): ([Seal], [UInt8]) = ([], Array(parts[0]))
    for part in parts.dropFirst() {
      let note = part.prefix { $0 != Self.end }
      let texts = note.split(separator: Self.middle, omittingEmptySubsequences: false).map {
        String(decoding: $0, as: UTF8.self)
      }
      guard note.count < part.count, texts.count == 2 else {
        plain += [Self.start] + part
        continue
      }
      let seal = Seal(name: texts[0], value: texts[1])
      if !seals.contains(seal) { seals.append(seal) }
      plain += part.dropFirst(note.count + 1)
    }
    return (seals, seals.isEmpty ? self : .bytes(plain))
  }

  /// The bytes; none of contents that are only a size.
  package var knownBytes: [UInt8] { if case .bytes(let bytes) = self { bytes } else { [] } }
}
