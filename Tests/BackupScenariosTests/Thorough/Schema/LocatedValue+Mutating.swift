@testable import BackupDiagnostics
@testable import BackupJSON5

extension SourcePosition {
  /// The first character of a file.
  static let start = SourcePosition(line: 1, column: 1)
}

extension LocatedValue {
  /// The values right inside this one.
  private var inner: [LocatedValue] {
    switch kind {
    case .array(let elements): elements
    case .object(let members): members.map(\.value)
    default: []
    }
  }

  /// How many values there are, this one included.
  var nodeCount: Int { inner.reduce(1) { $0 + $1.nodeCount } }

  /// This value with the one at a place, counted from the top down, replaced.
  func replacingNode(at place: Int, by change: (LocatedValue) -> LocatedValue) -> LocatedValue {
    guard place > 0 else { return change(self) }
    var inner = inner
    var rest = place - 1
    for index in inner.indices {
      let count = inner[index].nodeCount
      if rest < count {
        inner[index] = inner[index].replacingNode(at: rest, by: change)
        return withInner(inner)
      }
      rest -= count
    }
    return self
  }

  /// This value with others inside it.
  private func withInner(_ values: [LocatedValue]) -> LocatedValue {
    switch kind {
    case .array: return LocatedValue(kind: .array(values), position: position)
    case .object(let members):
      let changed = zip(members, values).map {
        Member(key: $0.key, keyPosition: $0.keyPosition, value: $1)
      }
      return LocatedValue(kind: .object(changed), position: position)
    default: return self
    }
  }

  /// Adds the keys and the texts of this value to those given.
  func gather(_ keys: inout Set<String>, _ texts: inout Set<String>) {
    if case .object(let members) = kind { keys.formUnion(members.map(\.key)) }
    if case .string(let text) = kind { texts.insert(text) }
    for value in inner { value.gather(&keys, &texts) }
  }

  /// The value as JSON5 text, a line for each value.
  var json5: String {
    switch kind {
    case .null: "null"
    case .bool(let bool): String(bool)
    case .number(let number): number.text
    case .string(let text): Self.quoted(text)
    case .array(let elements): "[\n" + elements.map { $0.json5 + ",\n" }.joined() + "]"
    case .object(let members):
      "{\n" + members.map { "\(Self.quoted($0.key)): \($0.value.json5),\n" }.joined() + "}"
    }
  }

  /// A string with everything but printable ASCII escaped.
  private static func quoted(_ text: String) -> String {
    let units = text.utf16.map { unit -> String in
      let isPlain = (0x20..<0x7F).contains(unit) && unit != 0x22 && unit != 0x5C
      if isPlain, let scalar = Unicode.Scalar(unit) { return String(scalar) }
      let digits = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
    return "\"" + units.joined() + "\""
  }
}
