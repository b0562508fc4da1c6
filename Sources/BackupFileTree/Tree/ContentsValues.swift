package import BackupCollections
import Foundation

/// The leaves of JSON, a property list or a database, or the lines of a text, in any order.
package struct ContentsValues: Hashable, Sendable {
  /// A leaf, identified by sums of its place and its value.
  package struct Leaf: Hashable, Sendable {
    /// The sum of its keys, or of its table and column. All elements of an array have one place.
    package let place: UInt64
    package let value: UInt64
    /// The sum of a line or an array element without its words with digits, such as dates; 1 for a
    /// number. It is 0 for a text without such words, and for any other text.
    package let form: UInt64

    package init(place: UInt64, value: UInt64, form: UInt64 = 0) {
      (self.place, self.value, self.form) = (place, value, form)
    }

    /// True for a truth value, perhaps written as 0 or 1.
    package var isFlag: Bool { Self.flags.contains(value) }

    private static let flags = Set([0, 1] + [0, 1].map { ContentsValues().sum(of: $0 as UInt64) })

    /// True for a number, a date, or a line or an array element with one.
    package var isNumeric: Bool { form != 0 }
  }

  package private(set) var leaves: [Leaf] = []
  /// True if the leaves are the columns of a database's rows.
  package let areRows: Bool

  package init(areRows: Bool = false) {
    self.areRows = areRows
  }

  /// Adds the leaves of a value.
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
      // User defaults may have property lists in data.
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

  /// Adds a line of a text, or an element of an array.
  fileprivate mutating func add(_ text: String, at place: ContentsPlace) {
    let text = text.withoutContainer
    let words = text.utf8.split(separator: UInt8(ascii: " "))
    let plainWords = words.filter {
      !$0.contains { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
    let form =
      plainWords.count == words.count ? 0 : sum(of: 5, plainWords.joined(separator: [0x20]))
    leaves.append(Leaf(place: place.sum, value: sum(of: 1, text.utf8), form: form))
  }

  private func sum(of kind: UInt64, _ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(ContentsPlace.start ^ kind) { ($0 ^ UInt64($1)) &* ContentsPlace.factor }
  }

  private func sum(of number: UInt64) -> UInt64 {
    (ContentsPlace.start ^ number) &* ContentsPlace.factor
  }

  /// Returns the value of a leaf that is a text, such as a note in a property list.
  fileprivate static func value(ofText bytes: [UInt8]) -> UInt64 { Self().sum(of: 1, bytes) }
}

extension String {
  /// The directory of the apps' containers on a device.
  private static let containers = "/private/var/mobile/Containers/Data/Application/"

  /// The text without the container's name in a path, which an update or a restore changes.
  fileprivate var withoutContainer: String {
    hasPrefix(Self.containers)
      ? Self.containers + dropFirst(Self.containers.count).drop { $0 != "/" } : self
  }
}

/// The details of a file's contents: an object, because recursive walks need small items.
package final class ContentsDetails: Sendable {
  /// The leaves or lines of the contents; nil if they have another format.
  package let values: ContentsValues?
  /// The value of the contents as a leaf; nil if they are empty or large.
  package let valueAsText: UInt64?
  /// For each append, the version before it and the appended contents, in order.
  package let parts: ChunkedArray<ContentsVersion>
  /// The keychain items without which the app cannot read all of the contents.
  package let seals: [Seal]

  package init(
    _ values: ContentsValues?, asText valueAsText: UInt64? = nil,
    parts: ChunkedArray<ContentsVersion> = ChunkedArray(), seals: [Seal] = []
  ) {
    (self.values, self.valueAsText, self.parts, self.seals) = (values, valueAsText, parts, seals)
  }

  /// Creates the details of contents. Contents that were written as a whole have no parts.
  package convenience init(
    _ contents: FileOperation.Contents, parts: ChunkedArray<ContentsVersion> = ChunkedArray()
  ) {
    let (seals, contents) = contents.unsealed
    self.init(contents.values, asText: contents.valueAsText, parts: parts, seals: seals)
  }
}

/// The place of a leaf: a sum of its keys (FNV-1a, which is the same in every process).
package struct ContentsPlace: Sendable {
  fileprivate static let start: UInt64 = 0xCBF2_9CE4_8422_2325
  fileprivate static let factor: UInt64 = 0x100_0000_01B3

  fileprivate private(set) var sum = start

  package init() {}

  /// The place under a key. Keys that differ each time, such as UUIDs and dates, have one place.
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
  /// Returns the version of a file, or nil if it does not exist.
  package func version(at path: ContainerPath) -> ContentsVersion? {
    file(at: path).map(ContentsVersion.init)
  }
}

extension FileOperation.Contents {
  /// The maximum size of contents whose leaves are read, in bytes.
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

  /// The value of a leaf with these contents as its text; nil if they are empty or large.
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

  /// Reads an object or array of JSON, or a property list; nil for bytes that begin differently.
  fileprivate init?(structured bytes: [UInt8]) {
    guard let first = bytes.first(where: { !Self.ignored.contains($0) }),
      Self.starts.contains(first)
    else { return nil }
    self.init(parsing: bytes)
  }
}
