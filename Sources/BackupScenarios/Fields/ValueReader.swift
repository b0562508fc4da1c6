import BackupDiagnostics
import BackupJSON5

/// Gathers the mistakes of one file while it is read to its end.
final class MistakeCollector {
  /// A message on what was found, what was expected and what to do, with its position.
  struct Mistake {
    let message: String
    let position: SourcePosition
  }

  private(set) var mistakes: [Mistake] = []
  /// The containers beside the app's that paths and patterns have named so far, by their names with
  /// the colon; a pattern's may have wildcards.
  var namedContainers: [(name: String, position: SourcePosition)] = []

  func note(_ message: String, at position: SourcePosition) {
    mistakes.append(Mistake(message: message, position: position))
  }
}

/// A value of a file that is being read, with the collector of its mistakes.
package struct ValueReader {
  let value: LocatedValue
  let collector: MistakeCollector

  var position: SourcePosition { value.position }

  func note(_ mistake: String) {
    collector.note(mistake, at: position)
  }

  func note(expected: String) {
    note("expected \(expected), found \(value.kindName)")
  }

  /// Notes a mistake instead of returning a value.
  func refuse<Read>(_ mistake: String) -> Read? {
    note(mistake)
    return nil
  }

  func refuse<Read>(expected: String) -> Read? {
    note(expected: expected)
    return nil
  }

  /// Returns a reader of another value of the same file.
  func reader(of value: LocatedValue) -> ValueReader {
    ValueReader(value: value, collector: collector)
  }

  /// Returns the string, or notes a mistake.
  func string(_ expected: String) -> String? {
    if case .string(let string) = value.kind { return string }
    return refuse(expected: expected)
  }

  /// Returns the elements, or notes a mistake.
  func elements(of expected: String) -> [ValueReader]? {
    if case .array(let elements) = value.kind { return elements.map(reader) }
    return refuse(expected: "a list of \(expected)")
  }
}

extension LocatedValue {
  var kindName: String {
    switch kind {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "a list"
    case .object: "an object"
    }
  }
}

/// An object of a file that is being read: its keys, and the values of its declared fields.
///
/// All fields are read at once, and each only once, so that every mistake is noted even if a value
/// is not used.
struct ObjectReader {
  let reader: ValueReader
  /// The keys, in the order of the file, each once.
  private(set) var keys: [String] = []
  /// The members by their keys; of two with the same key, the first.
  private var members: [Key: LocatedValue.Member] = [:]
  private var values: [String: Any] = [:]
  /// The keys of the fields that are present but could not be read.
  private var unread: Set<String> = []

  /// Creates a reader of an object. Any other value is noted as a mistake, and the result is nil.
  init?(_ reader: ValueReader, expected: String) {
    guard case .object(let members) = reader.value.kind else {
      reader.note(expected: expected)
      return nil
    }
    self.reader = reader
    for member in members {
      let key = Key(name: member.key)
      if self.members[key] == nil {
        self.members[key] = member
        keys.append(member.key)
      } else {
        reader.collector.note(
          "'\(member.key.shown)' appears twice; keep one", at: member.keyPosition)
      }
    }
  }

  /// Returns the same object with its fields read. An unknown key and a missing required key are
  /// noted as mistakes. `advice` says what to write in place of an unknown key that is no misspelt one.
  func reading(
    _ fields: [any DeclaredField], adviceOnOther advice: ((String) -> String)? = nil
  ) -> ObjectReader {
    var object = self
    for field in fields {
      let written = self[field.key]
      if written == nil, field.isRequired {
        reader.note("'\(field.key)' is missing; expected \(field.expected)")
      }
      let value = written.flatMap(field.read)
      if written != nil, value == nil { object.unread.insert(field.key) }
      object.values[field.key] = value ?? field.defaultValue.map(reader.reader).flatMap(field.read)
    }
    for key in keys where !fields.contains(where: { Key(name: $0.key) == Key(name: key) }) {
      let known = fields.map(\.key)
      let expected = known.isEmpty ? "expected {}" : NearestWord.advice(for: key, in: known)
      // A short key is near to another by chance.
      let isMisspelt = key.count > 2 && NearestWord.to(key, in: known) != nil
      let words = isMisspelt ? expected : advice.map { $0(key.shown) } ?? expected
      reader.collector.note("unknown key '\(key.shown)'; \(words)", at: keyPosition(key))
    }
    return object
  }

  func keyPosition(_ key: String) -> SourcePosition {
    members[Key(name: key)]?.keyPosition ?? reader.position
  }

  /// Returns a reader of a key as if it were a value, for objects whose keys are patterns or names.
  func reader(ofKey key: String) -> ValueReader {
    reader.reader(of: LocatedValue(kind: .string(key), position: keyPosition(key)))
  }

  /// The value of a key in the file; nil if the key is missing.
  subscript(key: String) -> ValueReader? {
    (members[Key(name: key)]?.value).map(reader.reader)
  }

  /// The value of a field. If the field is missing or has a mistake, this is its default, or nil
  /// without one.
  subscript<Value>(field: Field<Value>) -> Value? { values[field.key] as? Value }

  /// A key, compared by its bytes: a string equals others that are canonically equivalent.
  private struct Key: Hashable {
    let name: String

    static func == (left: Key, right: Key) -> Bool { left.name.utf8.elementsEqual(right.name.utf8) }

    func hash(into hasher: inout Hasher) {
      for byte in name.utf8 { hasher.combine(byte) }
    }
  }

  /// Returns true if a field is present but has a mistake.
  func isMistaken(_ field: any DeclaredField) -> Bool { unread.contains(field.key) }
}
