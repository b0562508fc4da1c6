import Foundation

/// A reader of binary property lists. A manifest has one for each item.
///
/// Foundation's reader gives the references of keyed archives as objects that only private
/// interfaces read, and it follows a hostile list to any depth. This reader checks that each byte
/// is within bounds, stops at ``deepest`` levels, and gives up after ``mostObjects`` or a multiple
/// of the list's size in bytes, so neither cycles nor shared objects cost it much time or memory.
package struct BinaryPropertyList {
  /// The number of levels that a list may have.
  package static let deepest = 32
  /// The number of objects that may be read from one list. An object counts each time that it is
  /// read.
  static let mostObjects = 100_000

  let bytes: UnsafeRawBufferPointer
  /// The position of the table of offsets.
  private let table: Int
  private let offsetSize: Int
  let referenceSize: Int
  private let count: Int
  /// The number of the object that contains all others.
  package let top: Int
  /// The number of objects that may still be read.
  private var objectsLeft = mostObjects
  /// The number of bytes of texts and data that may still be copied. They count each time that they
  /// are copied.
  private var bytesLeft: Int

  package static let header = Array("bplist0".utf8)
  private static let trailerSize = 32

  package static func read(_ bytes: [UInt8]) -> PropertyList? {
    read(bytes) { list in list.value(of: list.top) }
  }

  /// Calls `body` to read parts of a list, whose objects have numbers. Returns nil if the bytes are
  /// not a valid list.
  package static func read<Result>(
    _ bytes: [UInt8], _ body: (inout BinaryPropertyList) -> Result?
  ) -> Result? {
    guard bytes.starts(with: header), bytes.count >= 8 + trailerSize else { return nil }
    return bytes.withUnsafeBytes { buffer in
      guard var list = BinaryPropertyList(buffer) else { return nil }
      return body(&list)
    }
  }

  /// Returns an object with its contents, or nil if anything in it is wrong.
  package mutating func value(of index: Int) -> PropertyList? { object(index, level: 0) }

  /// Creates a reader from the trailer; nil if it does not fit the bytes.
  private init?(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    let trailer = bytes.count - Self.trailerSize
    self.offsetSize = Int(bytes[trailer + 6])
    self.referenceSize = Int(bytes[trailer + 7])
    let numbers = [8, 16, 24].map { offset in
      bytes.loadUnaligned(fromByteOffset: trailer + offset, as: UInt64.self).bigEndian
    }
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let count = Int(exactly: numbers[0]), let top = Int(exactly: numbers[1]),
      let table = Int(exactly: numbers[2]), count > 0, top < count, table < trailer,
      count <= (trailer - table) / offsetSize
    else { return nil }
    self.count = count
    self.top = top
    self.table = table
    self.bytesLeft = 4 * bytes.count + 65_536
  }

  /// Returns a big-endian number of some bytes, or nil if it is out of bounds or does not fit.
  func number(at offset: Int, size: Int) -> Int? {
    guard offset >= 0, size <= 8, offset <= bytes.count - size else { return nil }
    var value: UInt64 = 0
    for index in offset..<offset + size { value = value << 8 | UInt64(bytes[index]) }
    return Int(exactly: value)
  }

  /// Returns the offset of the object with a number, or nil if it does not exist.
  func offset(of index: Int) -> Int? {
    guard index < count, let offset = number(at: table + index * offsetSize, size: offsetSize),
      offset < table
    else { return nil }
    return offset
  }

  /// Reads the object with a number. Returns nil if anything in it is wrong.
  private mutating func object(_ index: Int, level: Int) -> PropertyList? {
    objectsLeft -= 1
    guard level < Self.deepest, objectsLeft > 0, let offset = offset(of: index) else { return nil }
    let marker = bytes[offset]
    let low = Int(marker & 15)
    switch marker >> 4 {
    case 0: return constant(marker)
    case 1: return integer(at: offset + 1, size: 1 << low)
    case 2: return real(at: offset + 1, size: 1 << low).map(PropertyList.real)
    case 3: return real(at: offset + 1, size: 1 << low).map(PropertyList.date)
    case 8: return number(at: offset + 1, size: low + 1).map(PropertyList.reference)
    case 4, 5, 6, 10, 13: return sized(marker >> 4, at: offset, level: level)
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

  /// Reads a whole number. Of 16 bytes only the lower half is read, because all numbers that
  /// Foundation writes fit.
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

  /// Reads an object that has a size: bytes, a text, a list or a dictionary.
  private mutating func sized(_ kind: UInt8, at offset: Int, level: Int) -> PropertyList? {
    let width =
      switch kind {
      case 4, 5: 1
      case 6: 2
      case 10: referenceSize
      default: 2 * referenceSize
      }
    guard let (start, size) = extent(at: offset, width: width) else { return nil }
    if kind <= 6 { bytesLeft -= size * width }
    guard bytesLeft >= 0 else { return nil }
    switch kind {
    case 4: return .data(Array(bytes[start..<start + size]))
    case 5: return .string(String(decoding: bytes[start..<start + size], as: UTF8.self))
    case 6: return .string(utf16(at: start, count: size))
    case 10: return array(at: start, count: size, level: level)
    default: return dictionary(at: start, count: size, level: level)
    }
  }

  /// Returns the offset of an object's contents, and the number of elements of a width; nil if the
  /// list does not have so many.
  func extent(at offset: Int, width: Int) -> (start: Int, count: Int)? {
    var (start, size) = (offset + 1, Int(bytes[offset] & 15))
    if size == 15 {
      guard start < bytes.count, bytes[start] >> 4 == 1, bytes[start] & 15 <= 3,
        let long = number(at: start + 1, size: 1 << Int(bytes[start] & 15))
      else { return nil }
      start += 1 + 1 << Int(bytes[start] & 15)
      size = long
    }
    guard start <= table, size <= (table - start) / width else { return nil }
    return (start, size)
  }

  private func utf16(at start: Int, count: Int) -> String {
    let units = (0..<count).map { index in
      bytes.loadUnaligned(fromByteOffset: start + 2 * index, as: UInt16.self).bigEndian
    }
    return String(decoding: units, as: UTF16.self)
  }

  private mutating func array(at start: Int, count: Int, level: Int) -> PropertyList? {
    guard count <= objectsLeft else { return nil }
    var values: [PropertyList] = []
    for index in 0..<count {
      guard let reference = number(at: start + index * referenceSize, size: referenceSize),
        let value = object(reference, level: level + 1)
      else { return nil }
      values.append(value)
    }
    return .array(values)
  }

  /// Reads a dictionary, whose keys must be texts. Of two equal keys, the first counts.
  private mutating func dictionary(at start: Int, count: Int, level: Int) -> PropertyList? {
    guard count <= objectsLeft else { return nil }
    var values: [String: PropertyList] = [:]
    for index in 0..<count {
      let keyOffset = start + index * referenceSize
      guard let key = number(at: keyOffset, size: referenceSize),
        let reference = number(at: keyOffset + count * referenceSize, size: referenceSize),
        let name = object(key, level: level + 1)?.string,
        let value = object(reference, level: level + 1)
      else { return nil }
      if values[name] == nil { values[name] = value }
    }
    return .dictionary(values)
  }

  /// Returns the number of the object for a key; nil if there is none, or `index` is no dictionary.
  package func member(_ key: StaticString, of index: Int) -> Int? {
    guard let (start, count) = members(of: index, kind: 13) else { return nil }
    for position in 0..<count {
      let place = start + position * referenceSize
      guard let name = number(at: place, size: referenceSize), isText(name, key) else { continue }
      return number(at: place + count * referenceSize, size: referenceSize)
    }
    return nil
  }

  /// Returns the number of an object in a list; nil if there are fewer, or `index` is no list.
  package func element(_ position: Int, of index: Int) -> Int? {
    guard let (start, count) = members(of: index, kind: 10), (0..<count).contains(position) else {
      return nil
    }
    return number(at: start + position * referenceSize, size: referenceSize)
  }

  /// Returns the offset of an object's members, and their number.
  private func members(of index: Int, kind: UInt8) -> (start: Int, count: Int)? {
    guard let offset = offset(of: index), bytes[offset] >> 4 == kind,
      let found = extent(at: offset, width: kind == 13 ? 2 * referenceSize : referenceSize)
    else { return nil }
    return found
  }

  /// Returns true if an object is this text, with one byte for each character.
  private func isText(_ index: Int, _ text: StaticString) -> Bool {
    guard let offset = offset(of: index), bytes[offset] >> 4 == 5,
      let (start, count) = extent(at: offset, width: 1), count == text.utf8CodeUnitCount
    else { return false }
    return (0..<count).allSatisfy { bytes[start + $0] == text.utf8Start[$0] }
  }
}
