@testable import BackupJSON5
@testable import BackupScenarios

extension LocatedValue {
  /// The value of an object's key, nil where there is none.
  subscript(key: String) -> LocatedValue? {
    guard case .object(let members) = kind else { return nil }
    return members.first { $0.key.isSame(as: key) }?.value
  }

  /// The members of an object in a schema.
  func members(of keyword: String) throws -> [Member] {
    if case .object(let members) = kind { return members }
    throw JSONSchema.Mistake(description: "'\(keyword)' is not an object, but \(kindName)")
  }

  /// The elements of a list in a schema.
  func elements(of keyword: String) throws -> [LocatedValue] {
    if case .array(let elements) = kind { return elements }
    throw JSONSchema.Mistake(description: "'\(keyword)' is not a list, but \(kindName)")
  }

  /// A string in a schema.
  func text(of keyword: String) throws -> String {
    if case .string(let text) = kind { return text }
    throw JSONSchema.Mistake(description: "'\(keyword)' is not a string, but \(kindName)")
  }

  /// A number in a schema.
  func double(of keyword: String) throws -> Double {
    if case .number(let number) = kind { return number.double }
    throw JSONSchema.Mistake(description: "'\(keyword)' is not a number, but \(kindName)")
  }

  /// A whole number from zero up in a schema.
  func count(of keyword: String) throws -> Int {
    if case .number(let number) = kind, let count = number.integer, count >= 0 {
      return Int(count)
    }
    throw JSONSchema.Mistake(description: "'\(keyword)' is not a count")
  }

  /// Whether the value is of a type as JSON Schema names it; 1.0 is an integer.
  func isOfType(_ name: String) -> Bool {
    switch kind {
    case .null: name == "null"
    case .bool: name == "boolean"
    case .number(let number):
      name == "number" || name == "integer" && number.double.rounded() == number.double
    case .string: name == "string"
    case .array: name == "array"
    case .object: name == "object"
    }
  }

  /// Whether both are the same JSON value: 1 equals 1.0, the order of keys makes no difference.
  func isEqual(to other: LocatedValue) -> Bool {
    switch (kind, other.kind) {
    case (.null, .null): return true
    case (.bool(let left), .bool(let right)): return left == right
    case (.number(let left), .number(let right)): return left.double == right.double
    case (.string(let left), .string(let right)): return left.isSame(as: right)
    case (.array(let left), .array(let right)):
      return left.count == right.count && zip(left, right).allSatisfy { $0.isEqual(to: $1) }
    case (.object(let left), .object(let right)):
      return left.count == right.count
        && left.allSatisfy { member in other[member.key]?.isEqual(to: member.value) == true }
    default: return false
    }
  }
}

extension String {
  /// Whether both have the same bytes; `==` takes canonically equivalent strings for one.
  func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
