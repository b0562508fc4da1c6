import Foundation

extension PropertyList {
  /// The list as a binary property list, always the same for the same list.
  var binary: [UInt8] {
    var writer = BinaryPropertyListWriter()
    writer.add(self)
    return writer.bytes
  }
}

/// Writes a binary property list: the objects, where each begins, and a trailer.
private struct BinaryPropertyListWriter {
  /// How many bytes the number of an object has.
  private static let referenceSize = 4
  /// The objects so far, one after the other.
  private var objects = Array("bplist00".utf8)
  private var offsets: [Int] = []

  /// The whole list; its first object contains all others.
  var bytes: [UInt8] {
    var bytes = objects
    for offset in offsets { bytes.append(number: UInt64(offset), size: 8) }
    bytes += [0, 0, 0, 0, 0, 0, 8, UInt8(Self.referenceSize)]
    for number in [offsets.count, 0, objects.count] {
      bytes.append(number: UInt64(number), size: 8)
    }
    return bytes
  }

  /// Adds an object with all in it; its number.
  @discardableResult
  mutating func add(_ value: PropertyList) -> Int {
    let index = offsets.count
    offsets.append(objects.count)
    switch value {
    case .null: objects.append(0)
    case .boolean(let isTrue): objects.append(isTrue ? 9 : 8)
    case .integer(let number):
      objects.append(0x13)
      objects.append(number: UInt64(bitPattern: number), size: 8)
    case .real(let number):
      objects.append(0x23)
      objects.append(number: number.bitPattern, size: 8)
    case .date(let seconds):
      objects.append(0x33)
      objects.append(number: seconds.bitPattern, size: 8)
    case .reference(let number):
      objects.append(0x80 + 3)
      objects.append(number: UInt64(number), size: 4)
    case .data(let bytes):
      begin(4, count: bytes.count)
      objects += bytes
    case .string(let text): add(text)
    case .array(let values): add(values.count, marked: 10, values)
    case .dictionary(let values):
      let keys = values.keys.sorted()
      add(keys.count, marked: 13, keys.map(PropertyList.string) + keys.compactMap { values[$0] })
    }
    return index
  }

  /// Adds a list or a dictionary, with what it refers to behind it.
  private mutating func add(_ count: Int, marked kind: UInt8, _ values: [PropertyList]) {
    begin(kind, count: count)
    let start = objects.count
    objects += [UInt8](repeating: 0, count: values.count * Self.referenceSize)
    for (position, value) in values.enumerated() {
      var reference: [UInt8] = []
      reference.append(number: UInt64(add(value)), size: Self.referenceSize)
      let place = start + position * Self.referenceSize
      objects.replaceSubrange(place..<place + Self.referenceSize, with: reference)
    }
  }

  /// Adds a text: one byte for each character where all are of ASCII, or else UTF-16.
  private mutating func add(_ text: String) {
    let units = Array(text.utf16)
    let isASCII = units.allSatisfy { $0 < 0x80 }
    begin(isASCII ? 5 : 6, count: units.count)
    for unit in units { objects.append(number: UInt64(unit), size: isASCII ? 1 : 2) }
  }

  /// Adds the begin of an object that says how long it is.
  private mutating func begin(_ kind: UInt8, count: Int) {
    guard count >= 15 else { return objects.append(kind << 4 | UInt8(count)) }
    objects += [kind << 4 | 15, 0x13]
    objects.append(number: UInt64(count), size: 8)
  }
}

extension [UInt8] {
  /// Adds a number of some bytes, the highest first.
  fileprivate mutating func append(number: UInt64, size: Int) {
    for shift in stride(from: 8 * (size - 1), through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
    }
  }
}
