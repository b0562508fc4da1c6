/// A JSON Schema, or any JSON in one, with the members of its objects in the order they are read
/// in.
indirect enum Schema: Hashable, Sendable {
  case boolean(Bool)
  case number(Double)
  case text(String)
  case list([Schema])
  case object([Property])
  /// What stands after `$ref`: the schema in `$defs` that has this name.
  case reference(String, Schema)

  /// A key and what stands after it.
  struct Property: Hashable, Sendable {
    /// The name before the colon.
    let key: String
    let value: Schema
  }

  static func texts(_ texts: [String]) -> Schema { .list(texts.map(Schema.text)) }

  /// A schema that is written once, in `$defs`, and referred to by its name.
  static func named(_ name: String, _ schema: Schema) -> Schema {
    ["$ref": .reference(name, schema)]
  }

  /// The values right inside this one.
  private var inner: [Schema] {
    switch self {
    case .list(let elements): elements
    case .object(let members): members.map(\.value)
    case .reference(_, let schema): [schema]
    case .boolean, .number, .text: []
    }
  }

  /// An object with the members of another after its own.
  func adding(_ more: Schema) -> Schema {
    guard case .object(let members) = self, case .object(let others) = more else { return self }
    return .object(members + others)
  }

  /// The schemas that this one refers to, each name once, in the order they first stand in.
  var definitions: [Property] {
    var found: [Property] = []
    gather(&found)
    return found
  }

  /// Adds the schemas that this one refers to and that are not there yet.
  private func gather(_ found: inout [Property]) {
    if case .reference(let name, let schema) = self {
      if found.contains(where: { $0.key == name }) { return }
      found.append(Property(key: name, value: schema))
    }
    for schema in inner { schema.gather(&found) }
  }
}

extension Schema: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral {
  /// A string as Swift writes it.
  init(stringLiteral value: String) { self = .text(value) }
  /// `true` or `false` as Swift writes them.
  init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension Schema: ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral {
  /// A whole number as Swift writes it.
  init(integerLiteral value: Int) { self = .number(Double(value)) }
  /// A list as Swift writes it.
  init(arrayLiteral elements: Schema...) { self = .list(elements) }
}

extension Schema: ExpressibleByDictionaryLiteral {
  /// An object as Swift writes it; the order is kept.
  init(dictionaryLiteral elements: (String, Schema)...) {
    self = .object(elements.map { Property(key: $0.0, value: $0.1) })
  }
}
