import Foundation

extension PropertyList {
  /// The largest list that is read, in bytes; Info.plist holds an icon of each app.
  private static let largest = 100_000_000

  /// Reads a property list, binary or XML.
  ///
  /// - Parameter path: A file that anybody may have written.
  /// - Returns: What it holds.
  /// - Throws: ``BackupFolderError`` where it cannot be read or is no property list.
  static func read(at path: String) throws(BackupFolderError) -> PropertyList {
    let bytes = try BackupFolder.bytes(at: path, atMost: largest)
    let list =
      bytes.starts(with: BinaryPropertyList.header)
      ? BinaryPropertyList.read(bytes) : readXML(bytes)
    guard let list else { throw BackupFolderError(path, "is no property list that can be read") }
    return list
  }

  /// Reads a list of XML; nil for what is none, or goes down too deep for Foundation's reader, which
  /// calls itself at each level.
  static func readXML(_ bytes: [UInt8]) -> PropertyList? {
    guard levels(of: bytes) <= BinaryPropertyList.deepest else { return nil }
    let list = try? PropertyListSerialization.propertyList(
      from: Data(bytes), options: [], format: nil)
    return list.flatMap { PropertyList(foundation: $0, level: 0) }
  }

  /// At most how many levels of lists and dictionaries a text of XML has.
  private static func levels(of bytes: [UInt8]) -> Int {
    var (level, deepest) = (0, 0)
    for index in bytes.indices where bytes[index] == UInt8(ascii: "<") {
      let rest = bytes[(index + 1)...]
      if rest.starts(with: "array".utf8) || rest.starts(with: "dict".utf8) {
        level += 1
        deepest = max(deepest, level)
      } else if rest.starts(with: "/array".utf8) || rest.starts(with: "/dict".utf8) {
        level -= 1
      }
    }
    return deepest
  }

  /// What Foundation has read; nil for what no backup has.
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
    // Before booleans, which Foundation takes 0 and 1 for too.
    case let number as Int64: self = .integer(number)
    case let isTrue as Bool: self = .boolean(isTrue)
    case let number as Double: self = .real(number)
    default: return nil
    }
  }
}
