import BackupJSON5
import BackupScenarios

extension Schema {
  /// The largest width of a line in columns. A single value may be wider.
  private static let width = 100

  /// The JSON, indented by two spaces for each level. A value that fits into a line is on one line.
  var text: String { formatted(indent: 0, before: 0, after: 0) + "\n" }

  var line: String {
    switch self {
    case .boolean(let value): "\(value)"
    case .number(let value): Int(exactly: value).map(String.init) ?? "\(value)"
    case .text(let text): LocatedValue.string(text).line
    case .reference(let name, _): LocatedValue.string("#/$defs/\(name)").line
    case .list(let elements): "[\(elements.map(\.line).joined(separator: ", "))]"
    case .object(let members) where members.isEmpty: "{}"
    case .object(let members): "{ \(members.map(\.line).joined(separator: ", ")) }"
    }
  }

  /// Returns the JSON. `before` and `after` are the numbers of columns that other text takes in the
  /// same line.
  fileprivate func formatted(indent: Int, before: Int, after: Int) -> String {
    let line = line
    guard before + line.count + after > Self.width || needsSeveralLines else { return line }
    let end = "\n" + String(repeating: " ", count: indent)
    switch self {
    case .object(let members):
      let lines = members.enumerated().map { index, member in
        let start = "\(Schema.text(member.key).line): "
        let after = index + 1 < members.count ? 1 : 0
        let before = indent + 2 + start.count
        return start + member.value.formatted(indent: indent + 2, before: before, after: after)
      }
      return "{\(lines.map { "\(end)  \($0)" }.joined(separator: ","))\(end)}"
    case .list(let elements) where elements.allSatisfy(\.isScalar):
      let words = elements.dropLast().map { "\($0.line)," } + elements.suffix(1).map(\.line)
      let lines = words.filled(to: Self.width - indent - 2)
      return "[\(lines.map { "\(end)  \($0)" }.joined())\(end)]"
    case .list(let elements):
      let lines = elements.map { $0.formatted(indent: indent + 2, before: indent + 2, after: 1) }
      return "[\(lines.map { "\(end)  \($0)" }.joined(separator: ","))\(end)]"
    default: return line
    }
  }

  /// True for an object with `properties` or `$defs`. It takes several lines even if it would fit
  /// into one.
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
  func filled(to width: Int) -> [String] {
    reduce(into: []) { lines, word in
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(word)
      }
    }
  }
}
