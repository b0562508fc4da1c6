import Foundation

/// A value in a property list or in JSON.
package indirect enum PropertyList: Hashable, Sendable {
  case string(String)
  /// A whole number, clamped to `Int64`.
  case integer(Int64)
  case boolean(Bool)
  case data([UInt8])
  case real(Double)
  /// A date, in seconds since 2001.
  case date(Double)
  /// The number of another object in a keyed archive.
  case reference(Int)
  case array([PropertyList])
  case dictionary([String: PropertyList])
  case null

  /// The value for a key; nil if this is not a dictionary, or if it lacks the key.
  package subscript(key: String) -> PropertyList? {
    if case .dictionary(let values) = self { values[key] } else { nil }
  }

  package var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  package var integer: Int64? {
    if case .integer(let number) = self { number } else { nil }
  }

  package var data: [UInt8]? {
    if case .data(let bytes) = self { bytes } else { nil }
  }

  /// True for the Boolean value `true`, and for a whole number other than 0.
  package var isTrue: Bool {
    switch self {
    case .boolean(let isTrue): isTrue
    case .integer(let number): number != 0
    default: false
    }
  }

  /// Parses a binary or XML property list, or JSON. Returns nil for any other bytes.
  package init?(parsing bytes: [UInt8]) {
    let list =
      bytes.starts(with: BinaryPropertyList.header)
      ? BinaryPropertyList.read(bytes) : Self.readJSON(bytes) ?? Self.readXML(bytes)
    guard let list else { return nil }
    self = list
  }

  /// Returns the keys that lead to the first string or data that satisfies a condition, joined by
  /// dots: `user.token`. Leaves out array indices. Returns nil if no string or data satisfies it.
  ///
  /// Looks at the keys of a dictionary in sorted order, so that the result is always the same.
  package func dottedKeyPath(where condition: ([UInt8]) -> Bool) -> String? {
    keyPath(where: condition)?.joined(separator: ".")
  }

  private func keyPath(where condition: ([UInt8]) -> Bool) -> [String]? {
    switch self {
    case .string(let text): condition(Array(text.utf8)) ? [] : nil
    case .data(let bytes): condition(bytes) ? [] : nil
    case .array(let values):
      values.reduce(nil) { firstPath, value in firstPath ?? value.keyPath(where: condition) }
    case .dictionary(let values):
      values.sorted { $0.key < $1.key }.reduce(nil) { firstPath, member in
        firstPath ?? member.value.keyPath(where: condition).map { [member.key] + $0 }
      }
    default: nil
    }
  }

  /// The value as a binary property list. Equal values have equal bytes.
  package var binaryBytes: [UInt8] {
    var writer = BinaryPropertyListWriter()
    writer.add(self)
    return writer.bytes
  }
}

/// A writer of binary property lists. A list has objects, a table of their offsets, and a trailer.
private struct BinaryPropertyListWriter {
  /// The number of bytes in a reference to an object.
  private static let referenceSize = 4
  /// The header, and the objects that have been added.
  private var objectBytes = Array("bplist00".utf8)
  /// The offset of each object.
  private var offsets: [Int] = []

  /// The whole list. Its first object contains all others.
  var bytes: [UInt8] {
    var bytes = objectBytes
    for offset in offsets { bytes.append(number: UInt64(offset), size: 8) }
    bytes += [0, 0, 0, 0, 0, 0, 8, UInt8(Self.referenceSize)]
    for number in [offsets.count, 0, objectBytes.count] {
      bytes.append(number: UInt64(number), size: 8)
    }
    return bytes
  }

  /// Adds a value and all values in it. Returns the number of the object.
  @discardableResult
  mutating func add(_ value: PropertyList) -> Int {
    let index = offsets.count
    offsets.append(objectBytes.count)
    switch value {
    case .null: objectBytes.append(0)
    case .boolean(let isTrue): objectBytes.append(isTrue ? 9 : 8)
    case .integer(let number):
      objectBytes.append(0x13)
      objectBytes.append(number: UInt64(bitPattern: number), size: 8)
    case .real(let number):
      objectBytes.append(0x23)
      objectBytes.append(number: number.bitPattern, size: 8)
    case .date(let seconds):
      objectBytes.append(0x33)
      objectBytes.append(number: seconds.bitPattern, size: 8)
    case .reference(let number):
      objectBytes.append(0x80 + 3)
      objectBytes.append(number: UInt64(number), size: 4)
    case .data(let bytes):
      appendHeader(4, count: bytes.count)
      objectBytes += bytes
    case .string(let text): add(text)
    case .array(let values): addCollection(values.count, kind: 10, values)
    case .dictionary(let values):
      let keys = values.keys.sorted()
      addCollection(
        keys.count, kind: 13, keys.map(PropertyList.string) + keys.compactMap { values[$0] })
    }
    return index
  }

  /// Adds an array or a dictionary, and after it the objects in it. For a dictionary, `values` has
  /// the keys, and then the values for these keys.
  private mutating func addCollection(_ count: Int, kind: UInt8, _ values: [PropertyList]) {
    appendHeader(kind, count: count)
    let referencesStart = objectBytes.count
    objectBytes += [UInt8](repeating: 0, count: values.count * Self.referenceSize)
    for (position, value) in values.enumerated() {
      var referenceBytes: [UInt8] = []
      referenceBytes.append(number: UInt64(add(value)), size: Self.referenceSize)
      let referenceStart = referencesStart + position * Self.referenceSize
      objectBytes.replaceSubrange(
        referenceStart..<referenceStart + Self.referenceSize, with: referenceBytes)
    }
  }

  /// Adds a text in ASCII if possible, or else in UTF-16.
  private mutating func add(_ text: String) {
    let codeUnits = Array(text.utf16)
    let isASCII = codeUnits.allSatisfy { $0 < 0x80 }
    appendHeader(isASCII ? 5 : 6, count: codeUnits.count)
    for codeUnit in codeUnits {
      objectBytes.append(number: UInt64(codeUnit), size: isASCII ? 1 : 2)
    }
  }

  /// Adds the header of an object that has a count of elements.
  private mutating func appendHeader(_ kind: UInt8, count: Int) {
    guard count >= 15 else { return objectBytes.append(kind << 4 | UInt8(count)) }
    objectBytes += [kind << 4 | 15, 0x13]
    objectBytes.append(number: UInt64(count), size: 8)
  }
}

extension [UInt8] {
  /// Appends a big-endian number of `size` bytes.
  fileprivate mutating func append(number: UInt64, size: Int) {
    for shift in stride(from: 8 * (size - 1), through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
    }
  }
}
