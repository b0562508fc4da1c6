import Foundation

extension PropertyList {
  /// Reads an XML property list. Returns nil for other bytes, and for a list with too many levels.
  ///
  /// Apple does not document how many levels Foundation can read. The limit
  /// ``BinaryPropertyList/maximumLevelCount`` is enough for all lists in backups.
  package static func readXML(_ bytes: [UInt8]) -> PropertyList? {
    guard canFoundationRead(bytes), let levels = levelCount(of: bytes),
      levels <= BinaryPropertyList.maximumLevelCount
    else { return nil }
    let foundationValue = try? PropertyListSerialization.propertyList(
      from: Data(bytes), options: [], format: nil)
    return foundationValue.flatMap { PropertyList(foundation: $0, level: 0) }
  }

  /// Returns true if the bytes begin like a binary property list, or with an XML tag.
  ///
  /// Foundation must not read other bytes. It would try to read them in the format of NeXTSTEP, and
  /// print the mistakes on standard error.
  package static func canFoundationRead(_ bytes: [UInt8]) -> Bool {
    // White space, byte order marks, and the zero byte of an ASCII character in UTF-16.
    let skippedBytes: Set<UInt8> = [0, 0x09, 0x0A, 0x0D, 0x20, 0xBB, 0xBF, 0xEF, 0xFE, 0xFF]
    return bytes.starts(with: BinaryPropertyList.header)
      || bytes.first { !skippedBytes.contains($0) } == UInt8(ascii: "<")
  }

  /// Reads JSON, but leaves out values that are null.
  static func readJSON(_ bytes: [UInt8]) -> PropertyList? {
    (try? JSONSerialization.jsonObject(with: Data(bytes))).flatMap {
      PropertyList(foundation: $0, level: 0)
    }
  }

  /// Returns the number of nested levels of arrays and dictionaries in an XML text.
  ///
  /// Returns nil if the text has syntax that could hide levels: a comment, character data, a
  /// document type with declarations, an instruction (`<?`) after the first tag, or a tag in a tag.
  /// No writer of property lists writes these.
  static func levelCount(of bytes: [UInt8]) -> Int? {
    var (level, maximumLevel) = (0, 0)
    var remainingBytes = bytes[...]
    while let start = remainingBytes.firstIndex(of: UInt8(ascii: "<")) {
      guard let end = remainingBytes[start...].firstIndex(of: UInt8(ascii: ">")) else {
        return maximumLevel
      }
      let tag = remainingBytes[(start + 1)..<end]
      remainingBytes = remainingBytes[(end + 1)...]
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
        maximumLevel = max(maximumLevel, level)
      }
    }
    return maximumLevel
  }

  private static func isCollection(_ tag: ArraySlice<UInt8>) -> Bool {
    tag.starts(with: "array".utf8) || tag.starts(with: "dict".utf8)
  }

  /// Creates a property list from a value that Foundation has read. Returns nil for a type that no
  /// backup has, or at too deep a level. An array or a dictionary leaves out such values.
  private init?(foundation value: Any, level: Int) {
    guard level <= BinaryPropertyList.maximumLevelCount else { return nil }
    switch value {
    case let text as String: self = .string(text)
    case let bytes as Data: self = .data(Array(bytes))
    case let date as Date: self = .date(date.timeIntervalSinceReferenceDate)
    case let values as [String: Any]:
      self = .dictionary(
        values.compactMapValues { PropertyList(foundation: $0, level: level + 1) })
    case let values as [Any]:
      self = .array(values.compactMap { PropertyList(foundation: $0, level: level + 1) })
    // This case comes before Booleans, because Foundation also casts the numbers 0 and 1 to `Bool`.
    case let number as Int64: self = .integer(number)
    case let isTrue as Bool: self = .boolean(isTrue)
    case let number as Double: self = .real(number)
    default: return nil
    }
  }
}
