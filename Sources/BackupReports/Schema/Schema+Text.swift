import BackupJSON5
import BackupScenarios

extension Schema {
  /// The largest width of a line in columns. A single value may be wider.
  private static let maximumWidth = 100

  /// The JSON, indented by two spaces for each level. A value that fits into a line is on one
  /// line, except an object with `properties` or `$defs`.
  var text: String { formatted(indent: 0, columnsBefore: 0, columnsAfter: 0) + "\n" }

  var line: String {
    switch self {
    case .boolean(let value): "\(value)"
    case .number(let value): Int(exactly: value).map(String.init) ?? "\(value)"
    case .text(let text): LocatedValue.string(text).singleLineText
    case .reference(let name, _): LocatedValue.string("#/$defs/\(name)").singleLineText
    case .list(let elements): "[\(elements.map(\.line).joined(separator: ", "))]"
    case .object(let members) where members.isEmpty: "{}"
    case .object(let members): "{ \(members.map(\.line).joined(separator: ", ")) }"
    }
  }

  /// Returns the JSON. `columnsBefore` and `columnsAfter` are the numbers of columns that other
  /// text takes in the same line.
  fileprivate func formatted(indent: Int, columnsBefore: Int, columnsAfter: Int) -> String {
    let line = line
    guard columnsBefore + line.count + columnsAfter > Self.maximumWidth || needsSeveralLines else {
      return line
    }
    let lineBreak = "\n" + String(repeating: " ", count: indent)
    switch self {
    case .object(let members):
      let lines = members.enumerated().map { index, member in
        let keyText = "\(Schema.text(member.key).line): "
        let columnsAfter = index + 1 < members.count ? 1 : 0
        let columnsBefore = indent + 2 + keyText.count
        return keyText
          + member.value.formatted(
            indent: indent + 2, columnsBefore: columnsBefore, columnsAfter: columnsAfter)
      }
      return "{\(lines.map { "\(lineBreak)  \($0)" }.joined(separator: ","))\(lineBreak)}"
    case .list(let elements) where elements.allSatisfy(\.isScalar):
      let words = elements.dropLast().map { "\($0.line)," } + elements.suffix(1).map(\.line)
      let lines = words.wrappedLines(to: Self.maximumWidth - indent - 2)
      return "[\(lines.map { "\(lineBreak)  \($0)" }.joined())\(lineBreak)]"
    case .list(let elements):
      let lines = elements.map {
        $0.formatted(indent: indent + 2, columnsBefore: indent + 2, columnsAfter: 1)
      }
      return "[\(lines.map { "\(lineBreak)  \($0)" }.joined(separator: ","))\(lineBreak)]"
    default: return line
    }
  }

  /// True for an object with `properties` or `$defs`. Such an object takes several lines even if it
  /// would fit into one line.
  private var needsSeveralLines: Bool {
    guard case .object(let members) = self else { return false }
    return members.contains { $0.key == "properties" || $0.key == "$defs" }
  }

  private var isScalar: Bool {
    switch self {
    case .boolean, .number, .text, .reference: true
    case .list, .object: false
    }
  }
}

extension Schema.Property {
  fileprivate var line: String { "\(Schema.text(key).line): \(value.line)" }
}

extension [String] {
  /// Returns lines with as many of these words as fit. A word that is too long is on its own line.
  func wrappedLines(to width: Int) -> [String] {
    reduce(into: []) { lines, word in
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(word)
      }
    }
  }
}
