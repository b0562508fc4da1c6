extension BinaryPropertyList {
  /// The number of the object that a dictionary has for a key; nil if it has none, or the object is
  /// no dictionary.
  func member(_ key: StaticString, of index: Int) -> Int? {
    guard let (start, count) = members(of: index, kind: 13) else { return nil }
    for position in 0..<count {
      let place = start + position * referenceSize
      guard let name = number(at: place, size: referenceSize), isText(name, key) else { continue }
      return number(at: place + count * referenceSize, size: referenceSize)
    }
    return nil
  }

  /// The number of an object in a list; nil if there are fewer, or the object is no list.
  func element(_ position: Int, of index: Int) -> Int? {
    guard let (start, count) = members(of: index, kind: 10), (0..<count).contains(position) else {
      return nil
    }
    return number(at: start + position * referenceSize, size: referenceSize)
  }

  /// Where the members of an object begin, and how many there are.
  private func members(of index: Int, kind: UInt8) -> (start: Int, count: Int)? {
    guard let offset = offset(of: index), bytes[offset] >> 4 == kind,
      let found = extent(at: offset, width: kind == 13 ? 2 * referenceSize : referenceSize)
    else { return nil }
    return found
  }

  /// Whether an object is this text, one byte for each character.
  private func isText(_ index: Int, _ text: StaticString) -> Bool {
    guard let offset = offset(of: index), bytes[offset] >> 4 == 5,
      let (start, count) = extent(at: offset, width: 1), count == text.utf8CodeUnitCount
    else { return false }
    return (0..<count).allSatisfy { bytes[start + $0] == text.utf8Start[$0] }
  }
}
