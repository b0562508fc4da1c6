import BackupDiagnostics

/// An array or object whose end has not been read yet.
struct OpenContainer {
  let isObject: Bool

  /// Where its opening bracket stands.
  let position: SourcePosition

  private var elements: [LocatedValue] = []

  private var members: [LocatedValue.Member] = []

  /// The key whose value comes next.
  var key = ""

  var keyPosition: SourcePosition

  init(isObject: Bool, position: SourcePosition) {
    self.isObject = isObject
    self.position = position
    self.keyPosition = position
  }

  var isEmpty: Bool { elements.isEmpty && members.isEmpty }

  var opening: Character { isObject ? "{" : "[" }

  var closing: Character { isObject ? "}" : "]" }

  var value: LocatedValue {
    LocatedValue(kind: isObject ? .object(members) : .array(elements), position: position)
  }

  /// Adds a value; in an object, under the key read last.
  mutating func append(_ value: LocatedValue) {
    if isObject {
      members.append(LocatedValue.Member(key: key, keyPosition: keyPosition, value: value))
    } else {
      elements.append(value)
    }
  }
}
