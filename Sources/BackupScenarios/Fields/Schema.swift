/// A JSON Schema, or any JSON in one, with the members of its objects in the order they are read
/// in.
package indirect enum Schema: Hashable, Sendable {
  case boolean(Bool)
  case number(Double)
  case text(String)
  case list([Schema])
  case object([Property])
  /// The value of `$ref`: the schema in `$defs` that has this name.
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

  /// A schema that is written once, in `$defs`, and referred to by its name.
  static func named(_ name: String, _ schema: Schema) -> Schema {
    ["$ref": .reference(name, schema)]
  }

  /// Returns an object with the members of another after its own.
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

  /// Creates an object. The order of its members is kept.
  package init(dictionaryLiteral elements: (String, Schema)...) {
    self = .object(elements.map { Property(key: $0.0, value: $0.1) })
  }
}
