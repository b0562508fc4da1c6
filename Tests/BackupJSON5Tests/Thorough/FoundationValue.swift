import Foundation
import TestSupport

@testable import BackupJSON5

/// Any JSON value as Foundation decodes it, the measure for the kit's own reader.
enum FoundationValue: Decodable {
  /// The word `null`.
  case null
  case bool(Bool)
  /// A number, with nil for what Foundation cannot decode it as.
  case number(double: Double?, integer: Int64?)
  case string(String)
  case array([FoundationValue])
  /// An object, which has each key once.
  case object([String: FoundationValue])

  /// Reads bytes as JSON5 with `JSONDecoder`, or returns nil if it refuses them.
  ///
  /// A number must not be Foundation's whole input: it then reads on beyond the end, and crashes
  /// if digits follow in memory. What may be a number is therefore read as one of two elements.
  static func read(_ bytes: [UInt8]) -> FoundationValue? {
    if let first = bytes.first, "{['\"".utf8.contains(first) { return decode(bytes) }
    let mark: [UInt8] = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes[..<3]) : []
    let wrapped = mark + Array("[".utf8) + bytes[mark.count...] + Array("\n,0]".utf8)
    guard case .array(let elements)? = decode(wrapped), elements.count == 2 else { return nil }
    return elements[0]
  }

  /// Decodes bytes as they are.
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

  /// Decodes what is neither object nor array.
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
  /// Whether the reader's value is this one; of duplicate keys, Foundation has the first.
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
  /// Whether Foundation's decoding as `Double` and as `Int64` give this number.
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
