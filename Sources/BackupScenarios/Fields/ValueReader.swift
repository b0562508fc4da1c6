import BackupDiagnostics
import BackupJSON5

/// Collects all mistakes in a file. Reading continues after a mistake.
final class MistakeCollector {
  /// A message about a mistake and its correction, with the position in the file.
  struct Mistake {
    let message: String
    let position: SourcePosition
  }

  private(set) var mistakes: [Mistake] = []
  /// The containers of groups and extensions that paths and patterns name, for example `group.x:`.
  /// In a pattern, the name may have wildcards.
  var containerReferences: [(name: String, position: SourcePosition)] = []

  func report(_ message: String, at position: SourcePosition) {
    mistakes.append(Mistake(message: message, position: position))
  }
}

/// Reads a value in a file, and reports mistakes to the file's collector.
package struct ValueReader {
  let value: LocatedValue
  let collector: MistakeCollector

  var position: SourcePosition { value.position }

  func report(_ mistake: String) {
    collector.report(mistake, at: position)
  }

  func report(expected: String) {
    report("expected \(expected), found \(value.kindName)")
  }

  /// Reports a mistake, and returns nil.
  func refuse<Read>(_ mistake: String) -> Read? {
    report(mistake)
    return nil
  }

  func refuse<Read>(expected: String) -> Read? {
    report(expected: expected)
    return nil
  }

  /// Returns a reader of another value in the same file.
  func reader(of value: LocatedValue) -> ValueReader {
    ValueReader(value: value, collector: collector)
  }

  /// Returns the string, or reports a mistake.
  func string(_ expected: String) -> String? {
    if case .string(let string) = value.kind { return string }
    return refuse(expected: expected)
  }

  /// Returns the elements, or reports a mistake.
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

/// Reads an object in a file: its keys, and the values of its fields.
///
/// `reading` reads each field exactly once. So it reports every mistake, even in a value that
/// nothing uses.
struct ObjectReader {
  let reader: ValueReader
  /// The keys, in the order of the file, each once.
  private(set) var keys: [String] = []
  /// The members by key. If a key appears twice, the first member counts.
  private var members: [Key: LocatedValue.Member] = [:]
  private var values: [String: Any] = [:]
  /// The keys of the fields that are present but could not be read.
  private var invalidKeys: Set<String> = []

  /// Creates a reader of an object. Reports any other value as a mistake, and returns nil.
  init?(_ reader: ValueReader, expected: String) {
    guard case .object(let members) = reader.value.kind else {
      reader.report(expected: expected)
      return nil
    }
    self.reader = reader
    for member in members {
      let key = Key(name: member.key)
      if self.members[key] == nil {
        self.members[key] = member
        keys.append(member.key)
      } else {
        reader.collector.report(
          "'\(member.key.escapedExcerpt)' appears twice; keep one", at: member.keyPosition)
      }
    }
  }

  /// Reads the fields, and returns the same object with their values. Reports unknown keys and
  /// missing required keys. `advice` says how to correct an unknown key that is not a misspelt
  /// field.
  func reading(
    _ fields: [any DeclaredField], adviceOnUnknownKey advice: ((String) -> String)? = nil
  ) -> ObjectReader {
    var object = self
    for field in fields {
      let valueReader = self[field.key]
      if valueReader == nil, field.isRequired {
        reader.report("'\(field.key)' is missing; expected \(field.expected)")
      }
      let value = valueReader.flatMap(field.read)
      if valueReader != nil, value == nil { object.invalidKeys.insert(field.key) }
      object.values[field.key] = value ?? field.defaultValue.map(reader.reader).flatMap(field.read)
    }
    for key in keys where !fields.contains(where: { Key(name: $0.key) == Key(name: key) }) {
      let fieldKeys = fields.map(\.key)
      let keyAdvice =
        fieldKeys.isEmpty ? "expected {}" : NearestWord.advice(for: key, in: fieldKeys)
      // A short key resembles others by chance.
      let isMisspelt = key.count > 2 && NearestWord.to(key, in: fieldKeys) != nil
      let correction = isMisspelt ? keyAdvice : advice.map { $0(key.escapedExcerpt) } ?? keyAdvice
      reader.collector.report(
        "unknown key '\(key.escapedExcerpt)'; \(correction)", at: keyPosition(key))
    }
    return object
  }

  func keyPosition(_ key: String) -> SourcePosition {
    members[Key(name: key)]?.keyPosition ?? reader.position
  }

  /// Returns a reader of the key itself as a string. Use it for objects whose keys are patterns or
  /// names.
  func reader(ofKey key: String) -> ValueReader {
    reader.reader(of: LocatedValue(kind: .string(key), position: keyPosition(key)))
  }

  /// A reader of the value of a key; nil if the key is missing.
  subscript(key: String) -> ValueReader? {
    (members[Key(name: key)]?.value).map(reader.reader)
  }

  /// The value of a field. If the field is missing or has a mistake, the value is its default, or
  /// nil if the field has no default.
  subscript<Value>(field: Field<Value>) -> Value? { values[field.key] as? Value }

  /// A key, compared by its bytes, because `String` treats canonically equivalent keys as equal.
  private struct Key: Hashable {
    let name: String

    static func == (left: Key, right: Key) -> Bool { left.name.utf8.elementsEqual(right.name.utf8) }

    func hash(into hasher: inout Hasher) {
      for byte in name.utf8 { hasher.combine(byte) }
    }
  }

  /// Returns true if a field is present but has a mistake.
  func isInvalid(_ field: any DeclaredField) -> Bool { invalidKeys.contains(field.key) }
}
