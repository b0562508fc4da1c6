/// What a property list holds, as far as a backup needs it.
package indirect enum PropertyList: Hashable, Sendable {
  case string(String)
  /// A whole number; one that does not fit is the nearest that does.
  case integer(Int64)
  case boolean(Bool)
  case data([UInt8])
  /// A number that is not whole.
  case real(Double)
  /// A moment, in seconds since 2001.
  case date(Double)
  /// A reference in a keyed archive.
  case reference(Int)
  case array([PropertyList])
  case dictionary([String: PropertyList])
  case null

  /// The value of a key; nil if it is missing, or if this is not a dictionary.
  subscript(key: String) -> PropertyList? {
    if case .dictionary(let values) = self { values[key] } else { nil }
  }

  var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  var integer: Int64? {
    if case .integer(let number) = self { number } else { nil }
  }

  var data: [UInt8]? {
    if case .data(let bytes) = self { bytes } else { nil }
  }

  /// Whether it says yes: as a boolean, or as a number that is not 0.
  var isTrue: Bool {
    switch self {
    case .boolean(let isTrue): isTrue
    case .integer(let number): number != 0
    default: false
    }
  }
}

extension PropertyList {
  /// The first key of a text or data that something is true of, with the keys of the dictionaries
  /// that it is in: `albums.cover`; nil for a file that is neither a property list nor JSON.
  package static func key(in bytes: [UInt8], where isFound: ([UInt8]) -> Bool) -> String? {
    PropertyList(anyBytes: bytes)?.key(where: isFound)
  }

  /// Reads a property list of either format, or JSON as one; nil for a file that is neither.
  package init?(anyBytes bytes: [UInt8]) {
    let list =
      bytes.starts(with: BinaryPropertyList.header)
      ? BinaryPropertyList.read(bytes) : Self.readJSON(bytes) ?? Self.readXML(bytes)
    guard let list else { return nil }
    self = list
  }

  /// The key of a value, with those of the dictionaries that contain it; nil if no value matches.
  package func key(where isFound: ([UInt8]) -> Bool) -> String? {
    keys(to: isFound)?.joined(separator: ".")
  }

  private func keys(to isFound: ([UInt8]) -> Bool) -> [String]? {
    switch self {
    case .string(let text): isFound(Array(text.utf8)) ? [] : nil
    case .data(let bytes): isFound(bytes) ? [] : nil
    case .array(let values):
      values.reduce(nil) { found, value in found ?? value.keys(to: isFound) }
    case .dictionary(let values):
      values.sorted { $0.key < $1.key }.reduce(nil) { found, member in
        found ?? member.value.keys(to: isFound).map { [member.key] + $0 }
      }
    default: nil
    }
  }
}
