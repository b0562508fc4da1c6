package import BackupCollections
import Foundation

/// The leaves of JSON, a property list or a database, or the lines of a text: their order does not count.
package struct ContentsValues: Hashable, Sendable {
  /// A leaf, by sums that distinguish it from others.
  package struct Leaf: Hashable, Sendable {
    /// The keys that lead to the leaf, or its table and column. All elements of an array have one place.
    package let place: UInt64
    package let value: UInt64
    /// A line of a text or an element of an array, without words that have a digit, as dates have; 0 if there are
    /// none, and for any other text.
    package let form: UInt64

    package init(place: UInt64, value: UInt64, form: UInt64 = 0) {
      (self.place, self.value, self.form) = (place, value, form)
    }

    /// True for a truth value, which may be written as 0 or 1.
    package var isFlag: Bool { Self.flags.contains(value) }

    private static let flags = Set([0, 1] + [0, 1].map { ContentsValues().sum(of: $0 as UInt64) })

    /// True for a number or a date, and for a text with one.
    package var isNumeric: Bool { form != 0 }
  }

  package private(set) var leaves: [Leaf] = []
  /// True for the rows of a database.
  package let areRows: Bool

  package init(areRows: Bool = false) {
    self.areRows = areRows
  }

  /// Adds a leaf.
  package mutating func add(_ value: PropertyList, at place: ContentsPlace) {
    switch value {
    case .dictionary(let members):
      for (key, value) in members.sorted(by: { $0.key < $1.key }) { add(value, at: place[key]) }
    case .array(let elements):
      for element in elements {
        if case .string(let text) = element {
          add(text, at: place)
        } else {
          add(element, at: place)
        }
      }
    case .data(let bytes):
      // A list may hold another, as user defaults do.
      if let inner = PropertyList(structured: bytes) {
        add(inner, at: place)
      } else {
        leaves.append(Leaf(place: place.sum, value: sum(of: 4, bytes)))
      }
    case .string(let text):
      leaves.append(Leaf(place: place.sum, value: sum(of: 1, text.withoutContainer.utf8)))
    case .integer(let number): add(sum(of: UInt64(bitPattern: number)), at: place)
    // JSON writes a whole number without a fraction.
    case .real(let number), .date(let number):
      let whole = Int64(exactly: number)
      add(sum(of: whole.map(UInt64.init(bitPattern:)) ?? number.bitPattern), at: place)
    case .boolean(let isTrue): add(isTrue ? 1 : 0, at: place)
    case .reference(let number): add(UInt64(number), at: place)
    case .null: add(2, at: place)
    }
  }

  private mutating func add(_ value: UInt64, at place: ContentsPlace) {
    leaves.append(Leaf(place: place.sum, value: value, form: 1))
  }

  /// Adds a text among others at the same place.
  fileprivate mutating func add(_ text: String, at place: ContentsPlace) {
    let text = text.withoutContainer
    let words = text.utf8.split(separator: UInt8(ascii: " "))
    let kept = words.filter {
      !$0.contains { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
    let form = kept.count == words.count ? 0 : sum(of: 5, kept.joined(separator: [0x20]))
    leaves.append(Leaf(place: place.sum, value: sum(of: 1, text.utf8), form: form))
  }

  private func sum(of kind: UInt64, _ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(ContentsPlace.start ^ kind) { ($0 ^ UInt64($1)) &* ContentsPlace.factor }
  }

  private func sum(of number: UInt64) -> UInt64 {
    (ContentsPlace.start ^ number) &* ContentsPlace.factor
  }

  /// The value of a leaf that is a whole text, as where an app puts a note into a list.
  fileprivate static func value(ofText bytes: [UInt8]) -> UInt64 { Self().sum(of: 1, bytes) }
}

extension String {
  /// What comes before the name of a container in its path on a device.
  private static let containers = "/private/var/mobile/Containers/Data/Application/"

  /// A path without the name of the container, which an update or a restore changes; any other text as it is.
  fileprivate var withoutContainer: String {
    hasPrefix(Self.containers)
      ? Self.containers + dropFirst(Self.containers.count).drop { $0 != "/" } : self
  }
}

/// The details of a file's contents. An object, since trees are walked by recursion, for which items must be small.
package final class ContentsDetails: Sendable {
  /// The leaves of JSON, a property list or a database, or the lines of a text; nil for other contents.
  package let values: ContentsValues?
  /// The value of the contents as a leaf; nil if they are empty or large.
  package let valueAsText: UInt64?
  /// The contents before each addition at the end, and each addition, the latest last.
  package let parts: ChunkedArray<ContentsVersion>
  /// The keychain items without which the app cannot read all of the contents.
  package let seals: [Seal]

  package init(
    _ values: ContentsValues?, asText valueAsText: UInt64? = nil,
    parts: ChunkedArray<ContentsVersion> = ChunkedArray(), seals: [Seal] = []
  ) {
    (self.values, self.valueAsText, self.parts, self.seals) = (values, valueAsText, parts, seals)
  }

  /// The details of contents, by default of such that were written as a whole.
  package convenience init(
    _ contents: FileOperation.Contents, parts: ChunkedArray<ContentsVersion> = ChunkedArray()
  ) {
    let (seals, contents) = contents.unsealed
    self.init(contents.values, asText: contents.valueAsText, parts: parts, seals: seals)
  }
}

/// The place of a leaf, as a sum of the keys on the way to it (FNV-1a, which is the same in every process).
package struct ContentsPlace: Sendable {
  fileprivate static let start: UInt64 = 0xCBF2_9CE4_8422_2325
  fileprivate static let factor: UInt64 = 0x100_0000_01B3

  fileprivate private(set) var sum = start

  package init() {}

  /// The place under a key; keys that differ each time, such as UUIDs and dates, are one place.
  package subscript(key: String) -> ContentsPlace {
    let isRandom =
      UUID(uuidString: key) != nil
      || key.count > 5 && key.allSatisfy { $0.isNumber || "-.:+TZ".contains($0) }
    let key = isRandom ? "" : key
    var inner = self
    inner.sum = (key.utf8.reduce(sum) { ($0 ^ UInt64($1)) &* Self.factor } ^ 0xFF) &* Self.factor
    return inner
  }
}

/// The contents of a file at one time: their size and their sum.
package struct ContentsVersion: Hashable, Sendable {
  package let size: Int64
  package let sum: ContentsSum

  package init(_ information: FileTree.FileInformation) {
    (size, sum) = (information.size, information.contents)
  }

  package init(_ contents: FileOperation.Contents) {
    (size, sum) = (contents.size, ContentsSum(contents))
  }
}

extension FileTree {
  /// The version of a file; nil if it does not exist.
  package func version(at path: ContainerPath) -> ContentsVersion? {
    file(at: path).map(ContentsVersion.init)
  }
}

extension FileOperation.Contents {
  /// The largest contents of which the leaves are read, in bytes.
  private static let mostRead = 1 << 20

  /// The leaves of JSON or a property list, or the lines of a text; nil for other contents.
  package var values: ContentsValues? {
    guard case .bytes(let bytes) = self, bytes.count <= Self.mostRead else { return nil }
    var values = ContentsValues()
    if let list = PropertyList(structured: bytes) {
      values.add(list, at: ContentsPlace())
    } else if bytes.contains(0) || String(bytes: bytes, encoding: .utf8) == nil {
      return nil
    } else {
      for line in bytes.split(separator: UInt8(ascii: "\n")) {
        // Journals often have a document in each line.
        if let list = PropertyList(structured: Array(line)) {
          values.add(list, at: ContentsPlace()["\n"])
        } else {
          values.add(String(decoding: line, as: UTF8.self), at: ContentsPlace()["\n"])
        }
      }
    }
    return values
  }

  /// The value that a leaf with these contents as its text has; nil for what is empty or large.
  package var valueAsText: UInt64? {
    guard case .bytes(let bytes) = self, !bytes.isEmpty, bytes.count <= Self.mostRead else {
      return nil
    }
    return ContentsValues.value(ofText: bytes)
  }
}

extension PropertyList {
  /// The bytes of a byte order mark and of white space.
  private static let ignored = Array("\u{FEFF} \t\r\n".utf8)
  private static let starts = Array("{[<b".utf8)

  /// Reads an object or array of JSON, or a property list; nil for other bytes, which are not tried.
  fileprivate init?(structured bytes: [UInt8]) {
    guard let first = bytes.first(where: { !Self.ignored.contains($0) }),
      Self.starts.contains(first)
    else { return nil }
    self.init(anyBytes: bytes)
  }
}
