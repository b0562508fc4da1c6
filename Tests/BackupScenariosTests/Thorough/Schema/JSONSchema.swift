@testable import BackupJSON5
@testable import BackupScenarios

/// A JSON Schema of draft 2020-12. It supports only the keywords that the scenario schema uses.
struct JSONSchema: Sendable {
  /// A mistake in a schema.
  struct Mistake: Error, CustomStringConvertible {
    let description: String
  }

  /// One schema, or a schema inside it. A value must pass all checks.
  struct Node: Sendable {
    /// The checks; empty if the schema accepts every value.
    let checks: [Check]

    /// Whether a value passes every check.
    func accepts(_ value: LocatedValue, in schema: JSONSchema) -> Bool {
      checks.allSatisfy { $0(value, schema) }
    }
  }

  /// The check of one keyword.
  typealias Check = @Sendable (LocatedValue, JSONSchema) -> Bool

  private let root: Node
  /// The schemas in `$defs`, by name.
  private let definitions: [String: Node]

  /// Reads a schema from text.
  ///
  /// - Throws: ``Mistake`` if a keyword is unknown or used wrongly, or if a reference leads
  ///   nowhere.
  init(_ text: String) throws {
    try self.init(JSON5Reader.read(Array(text.utf8)))
  }

  /// Reads a schema from a value.
  init(_ value: LocatedValue) throws {
    try self.init(value, definitions: value["$defs"])
  }

  /// Reads a schema that refers to the given definitions.
  init(_ value: LocatedValue, definitions: LocatedValue?) throws {
    let members = try definitions?.members(of: "$defs") ?? []
    let compiler = SchemaCompiler(definitions: Set(members.map(\.key)))
    self.root = try compiler.node(value, isRoot: true)
    self.definitions = try Dictionary(
      members.map { ($0.key, try compiler.node($0.value)) },
      uniquingKeysWith: { _, _ in throw Mistake(description: "a definition stands here twice") })
  }

  /// Whether a value conforms to the schema.
  func accepts(_ value: LocatedValue) -> Bool { root.accepts(value, in: self) }

  /// Whether a value conforms to a definition.
  func accepts(_ value: LocatedValue, asDefinition name: String) -> Bool {
    definitions[name]?.accepts(value, in: self) == true
  }
}

struct SchemaCompiler {
  /// The names in `$defs`.
  let definitions: Set<String>

  /// Returns the checks of one schema.
  func node(_ value: LocatedValue, isRoot: Bool = false) throws -> JSONSchema.Node {
    if case .bool(let isAccepting) = value.kind {
      return JSONSchema.Node(checks: [{ _, _ in isAccepting }])
    }
    let members = try value.members(of: "a schema")
    guard Set(members.map(\.key)).count == members.count else {
      throw JSONSchema.Mistake(description: "a keyword stands twice at \(value.position)")
    }
    let checks = try members.compactMap { member -> JSONSchema.Check? in
      if isRoot, member.key == "$schema" || member.key == "$defs" { return nil }
      guard let keyword = SchemaKeyword.all[member.key] else {
        throw JSONSchema.Mistake(description: "'\(member.key)' is no known keyword here")
      }
      return try keyword(member.value, value, self)
    }
    return JSONSchema.Node(checks: checks)
  }

  /// Returns the checks of each schema in a list.
  func nodes(_ value: LocatedValue, of keyword: String) throws -> [JSONSchema.Node] {
    let elements = try value.elements(of: keyword)
    if elements.isEmpty { throw JSONSchema.Mistake(description: "'\(keyword)' is empty") }
    return try elements.map { try node($0) }
  }
}

extension LocatedValue {
  /// The value of an object's key; nil if there is none.
  subscript(key: String) -> LocatedValue? {
    guard case .object(let members) = kind else { return nil }
    return members.first { $0.key.isSame(as: key) }?.value
  }

  /// Returns the members of an object in a schema.
  func members(of keyword: String) throws -> [Member] {
    if case .object(let members) = kind { return members }
    throw JSONSchema.Mistake(description: "'\(keyword)' is not an object, but \(kindName)")
  }

  /// Returns the elements of a list in a schema.
  func elements(of keyword: String) throws -> [LocatedValue] {
    if case .array(let elements) = kind { return elements }
    throw JSONSchema.Mistake(description: "'\(keyword)' is not a list, but \(kindName)")
  }

  /// Returns a string in a schema.
  func text(of keyword: String) throws -> String {
    if case .string(let text) = kind { return text }
    throw JSONSchema.Mistake(description: "'\(keyword)' is not a string, but \(kindName)")
  }

  /// Returns a number in a schema.
  func double(of keyword: String) throws -> Double {
    if case .number(let number) = kind { return number.double }
    throw JSONSchema.Mistake(description: "'\(keyword)' is not a number, but \(kindName)")
  }

  /// Returns a whole number of at least 0 in a schema.
  func count(of keyword: String) throws -> Int {
    if case .number(let number) = kind, let count = number.integer, count >= 0 {
      return Int(count)
    }
    throw JSONSchema.Mistake(description: "'\(keyword)' is not a count")
  }

  /// Whether the value has a type of JSON Schema, in which 1.0 is an integer.
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

  /// Whether both are equal JSON values. 1 equals 1.0, and the order of keys does not matter.
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
  /// Whether both have the same bytes. `==` treats canonically equivalent strings as equal.
  func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
