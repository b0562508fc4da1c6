package import BackupCollections
import Foundation

/// The values in a file: leaves of JSON, of a property list or of a database, or lines of a text.
package struct ContentsValues: Hashable, Sendable {
  /// A value in a file, with its place. Hashes stand for both.
  package struct Leaf: Hashable, Sendable {
    /// The hash of the keys that lead to the value, or of its table and column. All elements of an
    /// array have the same place.
    package let placeHash: UInt64
    /// The hash of the value.
    package let valueHash: UInt64
    /// A hash that stays the same if only the numbers in the value change.
    ///
    /// For a line, or a text in an array, this is the hash of the words without digits, or 0 if no
    /// word has digits. For a number, a date, a reference, a Boolean value or null, it is 1. For
    /// any other value, it is 0.
    package let formHash: UInt64

    package init(placeHash: UInt64, valueHash: UInt64, formHash: UInt64 = 0) {
      (self.placeHash, self.valueHash, self.formHash) = (placeHash, valueHash, formHash)
    }

    /// True for a Boolean value, and for the numbers 0 and 1, which can stand for a Boolean value.
    package var mayBeBoolean: Bool { Self.booleanHashes.contains(valueHash) }

    /// The hashes of `false` and `true`, and of the numbers 0 and 1.
    private static let booleanHashes = Set(
      [0, 1] + [0, 1].map { ContentsValues().hash(of: $0 as UInt64) })

    /// True for a number, a date, a Boolean value and a line with digits.
    package var containsNumber: Bool { formHash != 0 }
  }

  package private(set) var leaves: [Leaf] = []
  /// True if the leaves are the columns of a database's rows.
  package let containsRows: Bool

  package init(containsRows: Bool = false) {
    self.containsRows = containsRows
  }

  /// Adds the leaves of a value at a place.
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
      // User defaults can contain a property list as data.
      if let innerList = PropertyList(ifStructured: bytes) {
        add(innerList, at: place)
      } else {
        leaves.append(Leaf(placeHash: place.hash, valueHash: hash(ofKind: 4, bytes)))
      }
    case .string(let text):
      leaves.append(
        Leaf(placeHash: place.hash, valueHash: hash(ofKind: 1, text.withoutContainerName.utf8)))
    case .integer(let number): add(hash(of: UInt64(bitPattern: number)), at: place)
    // A whole number counts as an integer, because JSON writes it without a fraction.
    case .real(let number), .date(let number):
      let wholeNumber = Int64(exactly: number)
      add(hash(of: wholeNumber.map(UInt64.init(bitPattern:)) ?? number.bitPattern), at: place)
    case .boolean(let isTrue): add(isTrue ? 1 : 0, at: place)
    case .reference(let number): add(UInt64(number), at: place)
    case .null: add(2, at: place)
    }
  }

  private mutating func add(_ valueHash: UInt64, at place: ContentsPlace) {
    leaves.append(Leaf(placeHash: place.hash, valueHash: valueHash, formHash: 1))
  }

  /// Adds a line of a text, or an element of an array.
  fileprivate mutating func add(_ text: String, at place: ContentsPlace) {
    let text = text.withoutContainerName
    let words = text.utf8.split(separator: UInt8(ascii: " "))
    let wordsWithoutDigits = words.filter {
      !$0.contains { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
    let form =
      wordsWithoutDigits.count == words.count
      ? 0 : hash(ofKind: 5, wordsWithoutDigits.joined(separator: [0x20]))
    leaves.append(
      Leaf(placeHash: place.hash, valueHash: hash(ofKind: 1, text.utf8), formHash: form))
  }

  /// Returns the hash of bytes. Equal bytes of two kinds have two hashes.
  private func hash(ofKind kind: UInt64, _ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(ContentsPlace.offsetBasis ^ kind) { ($0 ^ UInt64($1)) &* ContentsPlace.prime }
  }

  private func hash(of number: UInt64) -> UInt64 {
    (ContentsPlace.offsetBasis ^ number) &* ContentsPlace.prime
  }

  /// Returns the hash of a leaf whose value is this text.
  fileprivate static func hash(ofText bytes: [UInt8]) -> UInt64 { Self().hash(ofKind: 1, bytes) }
}

extension String {
  /// The directory of the apps' containers on a device.
  private static let containersDirectory = "/private/var/mobile/Containers/Data/Application/"

  /// The text without the name of the container, if the text is a path in a container. So the text
  /// stays the same after an update or a restore, which changes the name.
  fileprivate var withoutContainerName: String {
    hasPrefix(Self.containersDirectory)
      ? Self.containersDirectory + dropFirst(Self.containersDirectory.count).drop { $0 != "/" }
      : self
  }
}

/// The details of a file's contents.
///
/// This is a class to keep ``FileTree/Item`` small: recursive walks have items on the stack.
package final class ContentsDetails: Sendable {
  /// The values in the contents; nil if the kit cannot read their format.
  package let values: ContentsValues?
  /// The hash of a leaf whose value is the whole contents as text, to find a file that another file
  /// embeds. Nil if the contents are empty, large or only ``FileOperation/Contents/zeros(_:)``.
  package let textHash: UInt64?
  /// Two versions for each append, in order: the file before the append, and the appended contents.
  package let appendVersions: ChunkedArray<ContentsVersion>
  /// The keychain items that the app needs to read all of the contents.
  package let seals: [Seal]

  package init(
    _ values: ContentsValues?, textHash: UInt64? = nil,
    appendVersions: ChunkedArray<ContentsVersion> = ChunkedArray(), seals: [Seal] = []
  ) {
    (self.values, self.textHash, self.appendVersions, self.seals) = (
      values, textHash, appendVersions, seals
    )
  }

  /// Creates the details of contents. Contents that were written as a whole have no parts.
  package convenience init(
    _ contents: FileOperation.Contents,
    appendVersions: ChunkedArray<ContentsVersion> = ChunkedArray()
  ) {
    let (seals, contents) = contents.unsealed
    self.init(
      contents.values, textHash: contents.textHash, appendVersions: appendVersions, seals: seals)
  }
}

/// The place of a leaf, as a hash of the keys that lead to it.
///
/// The hash function is FNV-1a, which has the same results in every process.
package struct ContentsPlace: Sendable {
  fileprivate static let offsetBasis: UInt64 = 0xCBF2_9CE4_8422_2325
  fileprivate static let prime: UInt64 = 0x100_0000_01B3

  fileprivate private(set) var hash = offsetBasis

  package init() {}

  /// The place of the value for a key. All keys that look generated, such as UUIDs and dates, lead
  /// to the same place.
  package subscript(key: String) -> ContentsPlace {
    let isGenerated =
      UUID(uuidString: key) != nil
      || key.count > 5 && key.allSatisfy { $0.isNumber || "-.:+TZ".contains($0) }
    let key = isGenerated ? "" : key
    var innerPlace = self
    innerPlace.hash =
      (key.utf8.reduce(hash) { ($0 ^ UInt64($1)) &* Self.prime } ^ 0xFF) &* Self.prime
    return innerPlace
  }
}

/// The size and the checksum of a file's contents at one time.
package struct ContentsVersion: Hashable, Sendable {
  package let size: Int64
  package let checksum: ContentsChecksum

  package init(_ information: FileTree.FileInformation) {
    (size, checksum) = (information.size, information.checksum)
  }

  package init(_ contents: FileOperation.Contents) {
    (size, checksum) = (contents.size, ContentsChecksum(contents))
  }
}

extension FileTree {
  /// Returns the version of a file, or nil if it does not exist.
  package func version(at path: ContainerPath) -> ContentsVersion? {
    fileInformation(at: path).map(ContentsVersion.init)
  }
}

extension FileOperation.Contents {
  /// The maximum size in bytes of contents whose values the kit reads.
  private static let maximumReadSize = 1 << 20

  /// The leaves of JSON or a property list, or the lines of a text; nil for other contents.
  package var values: ContentsValues? {
    guard case .bytes(let bytes) = self, bytes.count <= Self.maximumReadSize else { return nil }
    var values = ContentsValues()
    if let list = PropertyList(ifStructured: bytes) {
      values.add(list, at: ContentsPlace())
    } else if bytes.contains(0) || String(bytes: bytes, encoding: .utf8) == nil {
      return nil
    } else {
      // All lines have the same place, as if they were values for the key "\n".
      for line in bytes.split(separator: UInt8(ascii: "\n")) {
        // Journals often have a JSON document in each line.
        if let list = PropertyList(ifStructured: Array(line)) {
          values.add(list, at: ContentsPlace()["\n"])
        } else {
          values.add(String(decoding: line, as: UTF8.self), at: ContentsPlace()["\n"])
        }
      }
    }
    return values
  }

  /// The hash of a leaf whose value is these contents as text. Nil if the contents are empty, large
  /// or ``zeros(_:)``.
  package var textHash: UInt64? {
    guard case .bytes(let bytes) = self, !bytes.isEmpty, bytes.count <= Self.maximumReadSize else {
      return nil
    }
    return ContentsValues.hash(ofText: bytes)
  }
}

extension PropertyList {
  /// The bytes of a byte order mark and of white space.
  private static let ignoredBytes = Array("\u{FEFF} \t\r\n".utf8)
  /// The first bytes of JSON, and of XML and binary property lists.
  private static let firstBytes = Array("{[<b".utf8)

  /// Reads an object or array of JSON, or a property list. Returns nil for bytes that begin
  /// differently, such as a text.
  fileprivate init?(ifStructured bytes: [UInt8]) {
    guard let first = bytes.first(where: { !Self.ignoredBytes.contains($0) }),
      Self.firstBytes.contains(first)
    else { return nil }
    self.init(parsing: bytes)
  }
}
