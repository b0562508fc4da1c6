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
  private static let words = Array("sealed with ".utf8)

  /// The contents as the app encrypts them. The kit leaves them readable and writes the seal in front of them: so a
  /// disk, a copy and a backup keep it without knowing of it. A file of a size keeps its size.
  package func sealed(with seal: Seal) -> FileOperation.Contents {
    let note =
      [Self.start] + Self.words + Array(seal.name.utf8) + [Self.middle] + Array(seal.value.utf8)
      + [Self.end]
    switch self {
    case .bytes(let bytes): return .bytes(note + bytes)
    case .zeros(let size) where size > Self.mostSealed: return self
    case .zeros(let size):
      return .bytes(note + [UInt8](repeating: 0, count: max(0, Int(size) - note.count)))
    }
  }

  /// The seals of the contents and of parts that were appended, and the contents without them.
  package var unsealed: (seals: [Seal], contents: FileOperation.Contents) {
    guard case .bytes(let bytes) = self, bytes.hasSealStart(Self.start) else { return ([], self) }
    let parts = bytes.split(separator: Self.start, omittingEmptySubsequences: false)
    var seals: [Seal] = []
    var contents = Array(parts[0])
    for part in parts.dropFirst() {
      let note = part.prefix { $0 != Self.end }
      let names = note.dropFirst(Self.words.count).split(
        separator: Self.middle, omittingEmptySubsequences: false)
      guard note.starts(with: Self.words), note.count < part.count, names.count == 2 else {
        contents += [Self.start] + part
        continue
      }
      let seal = Seal(
        name: String(decoding: names[0], as: UTF8.self),
        value: String(decoding: names[1], as: UTF8.self))
      if !seals.contains(seal) { seals.append(seal) }
      contents += part.dropFirst(note.count + 1)
    }
    return (seals, seals.isEmpty ? self : .bytes(contents))
  }
}

extension [UInt8] {
  /// The bytes as the app reads them, which can decrypt all of them.
  package var unsealed: [UInt8] {
    if case .bytes(let bytes) = FileOperation.Contents.bytes(self).unsealed.contents {
      bytes
    } else {
      self
    }
  }

  /// Whether a seal may begin in the bytes, found by the system's search, since most files are large and have none.
  fileprivate func hasSealStart(_ start: UInt8) -> Bool {
    withUnsafeBytes { bytes in
      bytes.baseAddress.map { memchr($0, Int32(start), bytes.count) != nil } ?? false
    }
  }
}
