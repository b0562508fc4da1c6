@testable import BackupJSON5

/// A JSON Schema of draft 2020-12: the keywords that the scenario schema uses, and no other.
struct JSONSchema: Sendable {
  /// What makes a schema unusable.
  struct Mistake: Error, CustomStringConvertible {
    /// What was found.
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

  /// The schema itself.
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

/// Turns schemas into checks.
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
