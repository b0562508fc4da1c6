import BackupDiagnostics

extension LocatedValue {
  package var line: String {
    switch kind {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let number): number.text
    case .string(let text): Self.quoted(text)
    case .array(let values): "[\(values.map(\.line).joined(separator: ", "))]"
    case .object(let members):
      members.isEmpty ? "{}" : "{ \(members.map(\.line).joined(separator: ", ")) }"
    }
  }

  /// An object as a JSON5 file: a line for each member, and for each part of one that is a list or
  /// does not fit on a line.
  package var document: String {
    let lines = members.map { member in
      func block(_ open: String, _ parts: [String], _ close: String) -> String {
        "  \(member.name): \(open)\n\(parts.map { "    \($0),\n" }.joined())  \(close),\n"
      }
      return switch member.value.kind {
      case .array(let values): block("[", values.map(\.line), "]")
      case .object(let inner) where member.line.count > 90: block("{", inner.map(\.line), "}")
      default: "  \(member.line),\n"
      }
    }
    return "{\n\(lines.joined())}\n"
  }

  /// A text in quotes, with what no quoted text may have as escapes.
  fileprivate static func quoted(_ text: String) -> String {
    var quoted = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\n": quoted += "\\n"
      case let other where other.value < 0x20 || 0x7F...0x9F ~= other.value:
        quoted += "\\u" + String(repeating: "0", count: 4 - hex(other).count) + hex(other)
      case "\u{2028}", "\u{2029}", "\u{FEFF}": quoted += "\\u" + hex(scalar)
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return "\"\(quoted)\""
  }

  private static func hex(_ scalar: Unicode.Scalar) -> String {
    String(scalar.value, radix: 16, uppercase: true)
  }
}

extension LocatedValue.Member {
  /// The member as JSON5 on one line.
  package var line: String { "\(name): \(value.line)" }

  /// The key, in quotes where it needs them.
  fileprivate var name: String {
    let isPlain =
      key.utf8.first.map { !(0x30...0x39).contains($0) } == true
      && key.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
          || (0x61...0x7A).contains(byte) || byte == 0x5F || byte == 0x24
      }
    return isPlain ? key : LocatedValue.quoted(key)
  }
}
