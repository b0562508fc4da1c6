/// A JSON value in a report for programs.
package enum JSONValue: Encodable, ExpressibleByDictionaryLiteral, Sendable {
  case string(String)
  case number(Int64)
  case boolean(Bool)
  case array([JSONValue])
  case object([String: JSONValue])

  package static func number(_ number: Int) -> JSONValue { .number(Int64(number)) }

  package static func strings(_ strings: [String]) -> JSONValue {
    .array(strings.map { .string($0) })
  }

  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .string(let string): try string.encode(to: encoder)
    case .number(let number): try number.encode(to: encoder)
    case .boolean(let boolean): try boolean.encode(to: encoder)
    case .array(let elements): try elements.encode(to: encoder)
    case .object(let members): try members.encode(to: encoder)
    }
  }

  /// Creates an object with the members that are not nil.
  package init(dictionaryLiteral members: (String, JSONValue?)...) {
    self = .object(
      members.reduce(into: [:]) { members, member in members[member.0] = member.1 })
  }
}
