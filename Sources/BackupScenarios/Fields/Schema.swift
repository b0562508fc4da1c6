/// A JSON Schema, or a JSON value in one. Its objects keep the order of their members.
package indirect enum Schema: Hashable, Sendable {
  case boolean(Bool)
  case number(Double)
  case text(String)
  case list([Schema])
  case object([Property])
  /// The value of `$ref`: the name of a schema in `$defs`, with the schema.
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

  /// Returns the object with the members of another after its own.
  package func adding(_ more: Schema) -> Schema {
    guard case .object(let members) = self, case .object(let others) = more else { return self }
    return .object(members + others)
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
