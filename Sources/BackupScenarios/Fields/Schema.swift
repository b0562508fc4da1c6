/// A JSON Schema, or a JSON value in a schema. An object keeps the order of its members.
package indirect enum Schema: Hashable, Sendable {
  case boolean(Bool)
  case number(Double)
  case text(String)
  case list([Schema])
  case object([Property])
  /// The value of `$ref`: the name of a schema in `$defs`, and this schema.
  case reference(String, Schema)

  package struct Property: Hashable, Sendable {
    package let key: String
    package let value: Schema

    package init(key: String, value: Schema) {
      self.key = key
      self.value = value
    }
  }

  static func texts(_ texts: [String]) -> Schema { .list(texts.map(Schema.text)) }

  /// Returns a reference to a schema that is written once, in `$defs`.
  static func named(_ name: String, _ schema: Schema) -> Schema {
    ["$ref": .reference(name, schema)]
  }

  /// Returns this object with the members of another object added at the end.
  package func adding(_ other: Schema) -> Schema {
    guard case .object(let members) = self, case .object(let addedMembers) = other else {
      return self
    }
    return .object(members + addedMembers)
  }
}

extension Schema: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) { self = .text(value) }
  package init(booleanLiteral value: Bool) { self = .boolean(value) }

  package init(integerLiteral value: Int) { self = .number(Double(value)) }
  package init(arrayLiteral elements: Schema...) { self = .list(elements) }

  package init(dictionaryLiteral elements: (String, Schema)...) {
    self = .object(elements.map { Property(key: $0.0, value: $0.1) })
  }
}
