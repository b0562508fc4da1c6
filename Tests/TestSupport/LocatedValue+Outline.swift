package import BackupJSON5

extension LocatedValue {
  /// What a text says that a test writes in place.
  package init(json5 text: String) throws {
    self = try JSON5Reader.read(Array(text.utf8))
  }

  /// The value without positions, in one canonical notation.
  package var outline: String {
    switch kind {
    case .null: "null"
    case .bool(let bool): String(bool)
    case .number(let number): number.text
    case .string(let string): "'\(string)'"
    case .array(let elements): "[" + elements.map(\.outline).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { "\($0.key):\($0.value.outline)" }.joined(separator: ",") + "}"
    }
  }
}
