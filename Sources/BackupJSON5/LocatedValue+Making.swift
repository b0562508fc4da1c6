import BackupDiagnostics

/// Values that no file has yet.
extension LocatedValue {
  private static let nowhere = SourcePosition(line: 1, column: 1)

  package static func object(_ members: [(key: String, value: LocatedValue)]) -> LocatedValue {
    LocatedValue(
      kind: .object(
        members.map { Member(key: $0.key, keyPosition: nowhere, value: $0.value) }),
      position: nowhere)
  }

  package static func string(_ text: String) -> LocatedValue {
    LocatedValue(kind: .string(text), position: nowhere)
  }

  package static func array(_ elements: [LocatedValue]) -> LocatedValue {
    LocatedValue(kind: .array(elements), position: nowhere)
  }

  /// A whole number from 0 on.
  package static func number(_ number: Int) -> LocatedValue {
    LocatedValue(
      kind: JSON5Number(literal: "\(number)").map(Kind.number) ?? .null, position: nowhere)
  }

  /// An object with a member in the end, in the place of those of its key.
  package func setting(_ key: String, to value: LocatedValue) -> LocatedValue {
    let member = Member(key: key, keyPosition: value.position, value: value)
    let others = members.filter { $0.key != key }
    return LocatedValue(kind: .object(others + [member]), position: position)
  }

  /// Adds a member to an object, in the end; none for nil.
  package mutating func set(_ key: String, _ value: LocatedValue?) {
    if let value { self = setting(key, to: value) }
  }

  package func removing(_ key: String) -> LocatedValue {
    LocatedValue(kind: .object(members.filter { $0.key != key }), position: position)
  }

  /// The value of a member; nil if it is missing.
  package subscript(key: String) -> LocatedValue? {
    guard case .object(let members) = kind else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The values of a list; none for anything else.
  package var elements: [LocatedValue] {
    if case .array(let values) = kind { values } else { [] }
  }

  /// The members of an object; none for anything else.
  package var members: [Member] {
    if case .object(let members) = kind { members } else { [] }
  }
}
