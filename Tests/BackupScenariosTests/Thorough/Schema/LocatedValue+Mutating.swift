@testable import BackupDiagnostics
@testable import BackupJSON5

extension SourcePosition {
  /// The first character of a file.
  static let start = SourcePosition(line: 1, column: 1)
}

extension LocatedValue {
  /// The direct children of this value.
  private var children: [LocatedValue] {
    switch kind {
    case .array(let elements): elements
    case .object(let members): members.map(\.value)
    default: []
    }
  }

  /// The number of values in this value, itself included.
  var nodeCount: Int { children.reduce(1) { $0 + $1.nodeCount } }

  /// Returns this value with one value inside it replaced. `index` is its number in a depth-first
  /// walk; this value has the number 0.
  func replacingNode(at index: Int, by change: (LocatedValue) -> LocatedValue) -> LocatedValue {
    guard index > 0 else { return change(self) }
    var children = children
    var remainingIndex = index - 1
    for childIndex in children.indices {
      let count = children[childIndex].nodeCount
      if remainingIndex < count {
        children[childIndex] = children[childIndex].replacingNode(at: remainingIndex, by: change)
        return withChildren(children)
      }
      remainingIndex -= count
    }
    return self
  }

  /// Returns this value with other direct children.
  private func withChildren(_ values: [LocatedValue]) -> LocatedValue {
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

  /// Adds the keys and the texts in this value to `keys` and `texts`.
  func gather(_ keys: inout Set<String>, _ texts: inout Set<String>) {
    if case .object(let members) = kind { keys.formUnion(members.map(\.key)) }
    if case .string(let text) = kind { texts.insert(text) }
    for value in children { value.gather(&keys, &texts) }
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

  /// Returns a quoted string in which only printable ASCII is not escaped.
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
