import BackupDiagnostics
import BackupJSON5

/// Gathers the mistakes of one file while it is read to its end.
final class MistakeCollector {
  /// What was found, what was expected and what to do, and where that begins.
  typealias Mistake = (message: String, position: SourcePosition)

  /// The mistakes so far, in the order they were found.
  private(set) var mistakes: [Mistake] = []
  /// The containers beside the app's that paths and patterns have named so far, by their names with
  /// the colon; a pattern's may have wildcards.
  var namedContainers: [(name: String, position: SourcePosition)] = []

  /// Adds one to those that are said together at the end.
  func note(_ message: String, at position: SourcePosition) {
    mistakes.append((message, position))
  }
}

/// A value of a file that is being read, and where its mistakes go.
struct ValueReader {
  let value: LocatedValue
  let collector: MistakeCollector

  var position: SourcePosition { value.position }

  func note(_ mistake: String) {
    collector.note(mistake, at: position)
  }

  /// Notes that the value is of another kind than expected.
  func note(expected: String) {
    note("expected \(expected), found \(value.kindName)")
  }

  /// Reads another value of the same file.
  func reader(of value: LocatedValue) -> ValueReader {
    ValueReader(value: value, collector: collector)
  }

  /// The string, or a noted mistake.
  func string(_ expected: String) -> String? {
    if case .string(let string) = value.kind { return string }
    note(expected: expected)
    return nil
  }

  /// The elements, or a noted mistake.
  func elements(of expected: String) -> [ValueReader]? {
    if case .array(let elements) = value.kind { return elements.map(reader) }
    note(expected: "a list of \(expected)")
    return nil
  }
}

extension LocatedValue {
  /// What kind of value it is, as messages name it.
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
