@testable import BackupJSON5
@testable import BackupScenarios

/// A JSON Schema of draft 2020-12: the keywords that the scenario schema uses, and no other.
struct JSONSchema: Sendable {
  /// What makes a schema unusable.
  struct Mistake: Error, CustomStringConvertible {
    let description: String
  }

  /// What one schema demands of a value; all checks have to hold.
  struct Node: Sendable {
    /// The checks, none for a schema that accepts everything.
    let checks: [Check]

    /// Whether a value passes every check.
    func accepts(_ value: LocatedValue, in schema: JSONSchema) -> Bool {
      checks.allSatisfy { $0(value, schema) }
    }
  }

  /// One keyword's demand on a value.
  typealias Check = @Sendable (LocatedValue, JSONSchema) -> Bool

  private let root: Node
  /// The schemas in `$defs`, by name.
  private let definitions: [String: Node]

  /// Reads a schema from text.
  ///
  /// - Throws: ``Mistake`` for a keyword that is not known, used wrongly, or refers to nothing.
  init(_ text: String) throws {
    try self.init(JSON5Reader.read(Array(text.utf8)))
  }

  /// Reads a schema from a value.
  init(_ value: LocatedValue) throws {
    try self.init(value, definitions: value["$defs"])
  }

  /// Reads a schema whose references are to given definitions.
  init(_ value: LocatedValue, definitions: LocatedValue?) throws {
    let members = try definitions?.members(of: "$defs") ?? []
    let compiler = SchemaCompiler(definitions: Set(members.map(\.key)))
    self.root = try compiler.node(value, isRoot: true)
    self.definitions = try Dictionary(
      members.map { ($0.key, try compiler.node($0.value)) },
      uniquingKeysWith: { _, _ in throw Mistake(description: "a definition stands here twice") })
  }

  /// Whether a value is as the schema says.
  func accepts(_ value: LocatedValue) -> Bool { root.accepts(value, in: self) }

  /// Whether a value is as a definition says.
  func accepts(_ value: LocatedValue, asDefinition name: String) -> Bool {
    definitions[name]?.accepts(value, in: self) == true
  }
}

struct SchemaCompiler {
  /// The names in `$defs`.
  let definitions: Set<String>

  /// The checks of one schema.
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

  /// The checks of a list of schemas.
  func nodes(_ value: LocatedValue, of keyword: String) throws -> [JSONSchema.Node] {
    let elements = try value.elements(of: keyword)
    if elements.isEmpty { throw JSONSchema.Mistake(description: "'\(keyword)' is empty") }
    return try elements.map { try node($0) }
  }
}

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
