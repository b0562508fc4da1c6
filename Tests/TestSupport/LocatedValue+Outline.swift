package import BackupJSON5

extension LocatedValue {
  /// Reads a JSON5 text that a test contains.
  package init(json5 text: String) throws {
    self = try JSON5Reader.read(Array(text.utf8))
  }

  /// The value in a compact notation without positions, for example `{a:[1,'b']}`.
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
