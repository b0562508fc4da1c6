import Foundation
import TestSupport

@testable import BackupJSON5

/// A JSON value that Foundation decoded. The tests compare the kit's reader with it.
enum FoundationValue: Decodable {
  case null
  case bool(Bool)
  /// A number as `Double` and as `Int64`. Each is nil if Foundation cannot decode the number as
  /// this type.
  case number(double: Double?, integer: Int64?)
  case string(String)
  case array([FoundationValue])
  /// An object. It has each key only once.
  case object([String: FoundationValue])

  /// Reads bytes as JSON5 with `JSONDecoder`. Returns nil if it refuses them.
  ///
  /// If the whole input is a number, Foundation reads beyond its end, and crashes if digits follow
  /// in memory. An input that may be a number is therefore read as the first of two array elements.
  static func read(_ bytes: [UInt8]) -> FoundationValue? {
    if let first = bytes.first, "{['\"".utf8.contains(first) { return decode(bytes) }
    let byteOrderMark: [UInt8] = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes[..<3]) : []
    let wrapped =
      byteOrderMark + Array("[".utf8) + bytes[byteOrderMark.count...] + Array("\n,0]".utf8)
    guard case .array(let elements)? = decode(wrapped), elements.count == 2 else { return nil }
    return elements[0]
  }

  private static func decode(_ bytes: [UInt8]) -> FoundationValue? {
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    return try? decoder.decode(FoundationValue.self, from: Data(bytes))
  }

  init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: AnyKey.self) {
      self = .object(try Self.members(of: container))
    } else if var container = try? decoder.unkeyedContainer() {
      self = .array(try Self.elements(of: &container))
    } else {
      self = try Self.scalar(in: decoder.singleValueContainer())
    }
  }

  /// Decodes every member of an object.
  private static func members(
    of container: KeyedDecodingContainer<AnyKey>
  ) throws -> [String: FoundationValue] {
    let pairs = try container.allKeys.map {
      ($0.stringValue, try container.decode(FoundationValue.self, forKey: $0))
    }
    return Dictionary(pairs) { first, _ in first }
  }

  /// Decodes every element of an array.
  private static func elements(
    of container: inout any UnkeyedDecodingContainer
  ) throws -> [FoundationValue] {
    var elements: [FoundationValue] = []
    while !container.isAtEnd { elements.append(try container.decode(FoundationValue.self)) }
    return elements
  }

  /// Decodes a value that is neither an object nor an array.
  private static func scalar(
    in container: any SingleValueDecodingContainer
  ) throws -> FoundationValue {
    if container.decodeNil() { return .null }
    if let bool = try? container.decode(Bool.self) { return .bool(bool) }
    if let string = try? container.decode(String.self) { return .string(string) }
    let integer = try? container.decode(Int64.self)
    let double =
      integer == nil ? try container.decode(Double.self) : try? container.decode(Double.self)
    return .number(double: double, integer: integer)
  }

  /// A key of any name.
  private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
  }
}

extension FoundationValue {
  /// Whether the kit's reader has read the same value. If an object has a key twice, Foundation
  /// keeps the first value.
  func matches(_ value: LocatedValue) -> Bool {
    switch (self, value.kind) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.string(let left), .string(let right)): left.isIdentical(to: right)
    case (.number(let double, let integer), .number(let number)):
      number.matches(double: double, integer: integer)
    case (.array(let left), .array(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.matches($1) }
    case (.object(let left), .object(let right)): Self.matches(left, right)
    default: false
    }
  }

  /// Whether the same keys have the same values.
  private static func matches(
    _ left: [String: FoundationValue], _ right: [LocatedValue.Member]
  ) -> Bool {
    let values = Dictionary(right.map { ($0.key, $0.value) }) { first, _ in first }
    return left.count == values.count
      && left.allSatisfy { key, value in values[key].map(value.matches) ?? false }
  }
}

extension JSON5Number {
  /// Whether the number has the `Double` and the `Int64` that Foundation decoded.
  fileprivate func matches(double: Double?, integer: Int64?) -> Bool {
    let isSameDouble = double.map { $0 == self.double || ($0.isNaN && self.double.isNaN) } ?? true
    return isSameDouble && integer == self.integer
  }
}

extension String {
  /// Whether two strings have the same bytes, not only canonically equivalent characters.
  fileprivate func isIdentical(to other: String) -> Bool {
    utf8.elementsEqual(other.utf8)
  }
}
