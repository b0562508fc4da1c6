@testable import BackupJSON5

/// Reads text as JSON5.
func read(_ text: String) throws -> LocatedValue {
  try JSON5Reader.read(Array(text.utf8))
}

/// The mistake that the reader finds in some bytes, or nil if they are JSON5.
func mistake(in bytes: [UInt8], maximumDepth: Int = 128) -> JSON5SyntaxError? {
  do {
    _ = try JSON5Reader.read(bytes, maximumDepth: maximumDepth)
    return nil
  } catch {
    return error
  }
}

/// The mistake that the reader finds in a text, or nil if it is JSON5.
func mistake(in text: String) -> JSON5SyntaxError? {
  mistake(in: Array(text.utf8))
}

/// The string that a text stands for, or nil if it is no string.
func string(_ text: String) -> String? {
  guard case .string(let string)? = (try? read(text))?.kind else { return nil }
  return string
}

/// The number that a text stands for, or nil if it is no number.
func number(_ text: String) -> JSON5Number? {
  guard case .number(let number)? = (try? read(text))?.kind else { return nil }
  return number
}

/// The keys of the object that a text stands for, or nil if it is no object.
func keys(_ text: String) -> [String]? {
  guard case .object(let members)? = (try? read(text))?.kind else { return nil }
  return members.map(\.key)
}

extension LocatedValue {
  /// The value without positions, in one canonical notation.
  var outline: String {
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
