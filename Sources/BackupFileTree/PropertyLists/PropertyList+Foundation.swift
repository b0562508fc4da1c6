import Foundation

extension PropertyList {
  /// Reads an XML list. Returns nil for any other bytes, and for a list with more levels than the
  /// lists of a backup have. The depth that Foundation's reader can reach is not documented.
  package static func readXML(_ bytes: [UInt8]) -> PropertyList? {
    guard canBeRead(bytes), let levels = levels(of: bytes), levels <= BinaryPropertyList.deepest
    else { return nil }
    let list = try? PropertyListSerialization.propertyList(
      from: Data(bytes), options: [], format: nil)
    return list.flatMap { PropertyList(foundation: $0, level: 0) }
  }

  /// Returns true if Foundation may read some bytes, because they begin as a binary list or with a
  /// tag. For other text, Foundation prints on standard error why it is no list of NeXTSTEP's
  /// format.
  package static func canBeRead(_ bytes: [UInt8]) -> Bool {
    // White space, a byte order mark, and the other half of a UTF-16 character.
    let skipped: Set<UInt8> = [0, 0x09, 0x0A, 0x0D, 0x20, 0xBB, 0xBF, 0xEF, 0xFE, 0xFF]
    return bytes.starts(with: BinaryPropertyList.header)
      || bytes.first { !skipped.contains($0) } == UInt8(ascii: "<")
  }

  /// Reads JSON, without its nulls.
  static func readJSON(_ bytes: [UInt8]) -> PropertyList? {
    (try? JSONSerialization.jsonObject(with: Data(bytes))).flatMap {
      PropertyList(foundation: $0, level: 0)
    }
  }

  /// Returns the number of levels of lists and dictionaries in an XML text.
  ///
  /// The result is nil if the text has something that could hide levels and that no writer of
  /// property lists writes: a comment, character data, a document type with declarations, an
  /// instruction after the first line, or a tag in a tag.
  static func levels(of bytes: [UInt8]) -> Int? {
    var (level, deepest) = (0, 0)
    var rest = bytes[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      guard let end = rest[start...].firstIndex(of: UInt8(ascii: ">")) else { return deepest }
      let tag = rest[(start + 1)..<end]
      rest = rest[(end + 1)...]
      guard !tag.contains(UInt8(ascii: "<")) else { return nil }
      switch tag.first {
      case UInt8(ascii: "!"):
        guard tag.starts(with: "!DOCTYPE ".utf8), !tag.contains(UInt8(ascii: "[")) else {
          return nil
        }
      case UInt8(ascii: "?"):
        guard bytes[..<start].allSatisfy({ $0 != UInt8(ascii: "<") }) else { return nil }
      case UInt8(ascii: "/"):
        level -= isCollection(tag.dropFirst()) ? 1 : 0
      default:
        guard isCollection(tag), tag.last != UInt8(ascii: "/") else { continue }
        level += 1
        deepest = max(deepest, level)
      }
    }
    return deepest
  }

  private static func isCollection(_ tag: ArraySlice<UInt8>) -> Bool {
    tag.starts(with: "array".utf8) || tag.starts(with: "dict".utf8)
  }

  /// Creates a list from a value that Foundation has read; nil for a type that no backup has.
  private init?(foundation value: Any, level: Int) {
    guard level <= BinaryPropertyList.deepest else { return nil }
    switch value {
    case let text as String: self = .string(text)
    case let bytes as Data: self = .data(Array(bytes))
    case let date as Date: self = .date(date.timeIntervalSinceReferenceDate)
    case let values as [String: Any]:
      self = .dictionary(
        values.compactMapValues { PropertyList(foundation: $0, level: level + 1) })
    case let values as [Any]:
      self = .array(values.compactMap { PropertyList(foundation: $0, level: level + 1) })
    // Before booleans, because Foundation also takes 0 and 1 for these.
    case let number as Int64: self = .integer(number)
    case let isTrue as Bool: self = .boolean(isTrue)
    case let number as Double: self = .real(number)
    default: return nil
    }
  }
}
