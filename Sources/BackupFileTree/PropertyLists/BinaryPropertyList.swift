import Foundation

/// A reader of binary property lists. The manifest of a backup has such a list for each item.
///
/// Foundation's reader is not suitable. It returns the references in keyed archives as objects that
/// only private interfaces can read, and it does not limit the depth of a list.
///
/// This reader checks that each byte is within bounds. It limits the levels
/// (``maximumLevelCount``), the objects (``maximumObjectCount``) and the copied bytes. So a hostile
/// list, for example with cycles, cannot cost much time or memory.
package struct BinaryPropertyList {
  /// The maximum number of levels in a list.
  package static let maximumLevelCount = 32
  /// The maximum number of objects that are read from one list. An object counts each time that it
  /// is read.
  static let maximumObjectCount = 100_000

  let bytes: UnsafeRawBufferPointer
  /// The position of the table that has the offset of each object.
  private let offsetTableStart: Int
  /// The number of bytes in an offset.
  private let offsetSize: Int
  /// The number of bytes in a reference, which is the number of an object.
  let referenceSize: Int
  /// The number of objects.
  private let objectCount: Int
  /// The number of the object that contains all others.
  package let topObjectIndex: Int
  /// The number of objects that may still be read.
  private var remainingObjectCount = maximumObjectCount
  /// The number of bytes of texts and data that may still be copied. A byte counts each time that
  /// it is copied.
  private var remainingByteCount: Int

  package static let header = Array("bplist0".utf8)
  private static let trailerSize = 32

  package static func read(_ bytes: [UInt8]) -> PropertyList? {
    read(bytes) { list in list.value(of: list.topObjectIndex) }
  }

  /// Calls `body` with a reader, which can read parts of the list. Returns nil if the header or the
  /// trailer of the list is not valid, or if `body` returns nil.
  package static func read<Result>(
    _ bytes: [UInt8], _ body: (inout BinaryPropertyList) -> Result?
  ) -> Result? {
    guard bytes.starts(with: header), bytes.count >= 8 + trailerSize else { return nil }
    return bytes.withUnsafeBytes { buffer in
      guard var list = BinaryPropertyList(buffer) else { return nil }
      return body(&list)
    }
  }

  /// Returns the object with a number, and all objects in it. Returns nil if any of them is
  /// malformed.
  package mutating func value(of index: Int) -> PropertyList? { object(index, level: 0) }

  /// Reads the trailer, which has sizes and positions. Returns nil if these do not fit the bytes.
  private init?(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    let trailerStart = bytes.count - Self.trailerSize
    self.offsetSize = Int(bytes[trailerStart + 6])
    self.referenceSize = Int(bytes[trailerStart + 7])
    let trailerNumbers = [8, 16, 24].map { offset in
      bytes.loadUnaligned(fromByteOffset: trailerStart + offset, as: UInt64.self).bigEndian
    }
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let objectCount = Int(exactly: trailerNumbers[0]), let top = Int(exactly: trailerNumbers[1]),
      let offsetTableStart = Int(exactly: trailerNumbers[2]), objectCount > 0, top < objectCount,
      offsetTableStart < trailerStart,
      objectCount <= (trailerStart - offsetTableStart) / offsetSize
    else { return nil }
    self.objectCount = objectCount
    self.topObjectIndex = top
    self.offsetTableStart = offsetTableStart
    self.remainingByteCount = 4 * bytes.count + 65_536
  }

  /// Returns the big-endian number in `size` bytes. Returns nil if the bytes are out of bounds, or
  /// if the number does not fit into `Int`.
  func number(at offset: Int, size: Int) -> Int? {
    guard offset >= 0, size <= 8, offset <= bytes.count - size else { return nil }
    var value: UInt64 = 0
    for index in offset..<offset + size { value = value << 8 | UInt64(bytes[index]) }
    return Int(exactly: value)
  }

  /// Returns the offset of the object with a number, or nil if it does not exist.
  func offset(of index: Int) -> Int? {
    guard index < objectCount,
      let offset = number(at: offsetTableStart + index * offsetSize, size: offsetSize),
      offset < offsetTableStart
    else { return nil }
    return offset
  }

  /// Reads the object with a number, and all objects in it. Returns nil if any of them is
  /// malformed.
  private mutating func object(_ index: Int, level: Int) -> PropertyList? {
    remainingObjectCount -= 1
    guard level < Self.maximumLevelCount, remainingObjectCount >= 0, let offset = offset(of: index)
    else {
      return nil
    }
    let marker = bytes[offset]
    let lowBits = Int(marker & 15)
    switch marker >> 4 {
    case 0: return constant(marker)
    case 1: return integer(at: offset + 1, size: 1 << lowBits)
    case 2: return real(at: offset + 1, size: 1 << lowBits).map(PropertyList.real)
    case 3: return real(at: offset + 1, size: 1 << lowBits).map(PropertyList.date)
    case 8: return number(at: offset + 1, size: lowBits + 1).map(PropertyList.reference)
    case 4, 5, 6, 10, 13: return objectWithCount(marker >> 4, at: offset, level: level)
    default: return nil
    }
  }

  private func constant(_ marker: UInt8) -> PropertyList? {
    switch marker {
    case 0: .null
    case 8: .boolean(false)
    case 9: .boolean(true)
    default: nil
    }
  }

  /// Reads a whole number. Reads only the lower half of a number with 16 bytes, because all numbers
  /// that Foundation writes fit into 8 bytes.
  private func integer(at offset: Int, size: Int) -> PropertyList? {
    guard size <= 16, offset <= bytes.count - size else { return nil }
    let start = size == 16 ? offset + 8 : offset
    var value: UInt64 = 0
    for index in start..<offset + size { value = value << 8 | UInt64(bytes[index]) }
    return .integer(size < 16 ? Int64(bitPattern: value) : Int64(clamping: value))
  }

  /// Reads a floating-point number, or a date.
  private func real(at offset: Int, size: Int) -> Double? {
    guard offset <= bytes.count - size else { return nil }
    switch size {
    case 4:
      let bits = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self).bigEndian
      return Double(Float(bitPattern: bits))
    case 8:
      let bits = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).bigEndian
      return Double(bitPattern: bits)
    default: return nil
    }
  }

  /// Reads an object that has a count of elements. Its kind is 4 for data, 5 for an ASCII text, 6
  /// for a UTF-16 text, 10 for an array, or 13 for a dictionary.
  private mutating func objectWithCount(_ kind: UInt8, at offset: Int, level: Int) -> PropertyList?
  {
    let elementSize =
      switch kind {
      case 4, 5: 1
      case 6: 2
      case 10: referenceSize
      default: 2 * referenceSize
      }
    guard let (start, count) = extent(at: offset, elementSize: elementSize) else { return nil }
    if kind <= 6 { remainingByteCount -= count * elementSize }
    guard remainingByteCount >= 0 else { return nil }
    switch kind {
    case 4: return .data(Array(bytes[start..<start + count]))
    case 5: return .string(String(decoding: bytes[start..<start + count], as: UTF8.self))
    case 6: return .string(utf16(at: start, count: count))
    case 10: return array(at: start, count: count, level: level)
    default: return dictionary(at: start, count: count, level: level)
    }
  }

  /// Returns the offset of an object's contents, and the number of elements in them. An element has
  /// `elementSize` bytes. Returns nil if the list is too short for all elements.
  func extent(at offset: Int, elementSize: Int) -> (start: Int, count: Int)? {
    var (start, count) = (offset + 1, Int(bytes[offset] & 15))
    // The count 15 means that the real count follows as a whole number.
    if count == 15 {
      guard start < bytes.count, bytes[start] >> 4 == 1, bytes[start] & 15 <= 3,
        let longCount = number(at: start + 1, size: 1 << Int(bytes[start] & 15))
      else { return nil }
      start += 1 + 1 << Int(bytes[start] & 15)
      count = longCount
    }
    guard start <= offsetTableStart, count <= (offsetTableStart - start) / elementSize else {
      return nil
    }
    return (start, count)
  }

  private func utf16(at start: Int, count: Int) -> String {
    let codeUnits = (0..<count).map { index in
      bytes.loadUnaligned(fromByteOffset: start + 2 * index, as: UInt16.self).bigEndian
    }
    return String(decoding: codeUnits, as: UTF16.self)
  }

  private mutating func array(at start: Int, count: Int, level: Int) -> PropertyList? {
    guard count <= remainingObjectCount else { return nil }
    var values: [PropertyList] = []
    for index in 0..<count {
      guard let elementIndex = number(at: start + index * referenceSize, size: referenceSize),
        let value = object(elementIndex, level: level + 1)
      else { return nil }
      values.append(value)
    }
    return .array(values)
  }

  /// Reads a dictionary. Its keys must be texts. If two keys are equal, the first counts.
  private mutating func dictionary(at start: Int, count: Int, level: Int) -> PropertyList? {
    guard count <= remainingObjectCount else { return nil }
    var values: [String: PropertyList] = [:]
    for index in 0..<count {
      let keyOffset = start + index * referenceSize
      guard let keyIndex = number(at: keyOffset, size: referenceSize),
        let valueIndex = number(at: keyOffset + count * referenceSize, size: referenceSize),
        let key = object(keyIndex, level: level + 1)?.string,
        let value = object(valueIndex, level: level + 1)
      else { return nil }
      if values[key] == nil { values[key] = value }
    }
    return .dictionary(values)
  }

  /// Returns the number of the object that a dictionary has for a key. Returns nil if the
  /// dictionary lacks the key, or if the object with the number `index` is no dictionary.
  package func memberIndex(_ key: StaticString, of index: Int) -> Int? {
    guard let (start, count) = references(of: index, kind: 13) else { return nil }
    for position in 0..<count {
      let keyOffset = start + position * referenceSize
      guard let keyIndex = number(at: keyOffset, size: referenceSize), isText(keyIndex, key) else {
        continue
      }
      return number(at: keyOffset + count * referenceSize, size: referenceSize)
    }
    return nil
  }

  /// Returns the number of the object at a position in an array. Returns nil if the array has fewer
  /// elements, or if the object with the number `index` is no array.
  package func elementIndex(_ position: Int, of index: Int) -> Int? {
    guard let (start, count) = references(of: index, kind: 10), (0..<count).contains(position)
    else {
      return nil
    }
    return number(at: start + position * referenceSize, size: referenceSize)
  }

  /// Returns the offset of the references in an array or a dictionary, and the number of its
  /// elements. Returns nil if the object is not of this kind.
  private func references(of index: Int, kind: UInt8) -> (start: Int, count: Int)? {
    guard let offset = offset(of: index), bytes[offset] >> 4 == kind,
      let contents = extent(at: offset, elementSize: kind == 13 ? 2 * referenceSize : referenceSize)
    else { return nil }
    return contents
  }

  /// Returns true if an object is this ASCII text.
  private func isText(_ index: Int, _ text: StaticString) -> Bool {
    guard let offset = offset(of: index), bytes[offset] >> 4 == 5,
      let (start, count) = extent(at: offset, elementSize: 1), count == text.utf8CodeUnitCount
    else { return false }
    return (0..<count).allSatisfy { bytes[start + $0] == text.utf8Start[$0] }
  }
}
