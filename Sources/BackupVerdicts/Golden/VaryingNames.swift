import BackupScenarios

extension LineDifference {
  /// How many lines of each text are compared.
  private static let mostCompared = 50

  /// What a scenario file needs for golden files without the names that look as if they were others
  /// in every run: a line to paste; nil where there are no such names.
  var nameEntry: String? {
    let lines = changedLines
    let golden = lines.lazy.filter { $0.actualNumber == nil }.prefix(Self.mostCompared)
    var actual = Array(lines.lazy.filter { $0.goldenNumber == nil }.prefix(Self.mostCompared))
    var names: [String] = []
    for line in golden {
      for (index, other) in actual.enumerated()
      where line.section == other.section && line.head?.step == other.head?.step {
        guard let name = Self.name(for: line.text, and: other.text) else { continue }
        if !names.contains(name) { names.append(name) }
        actual.remove(at: index)
        break
      }
    }
    return names.isEmpty ? nil : "golden: { names: { \(names.joined(separator: ", ")) } }"
  }

  /// A pattern with the form of its matches' names, for two lines that differ in one such name of
  /// their paths; nil for any others.
  private static func name(for line: String, and other: String) -> String? {
    let (names, others) = (components(of: line), components(of: other))
    guard let names, let others, names.count == others.count,
      let index = names.indices.first(where: { names[$0] != others[$0] }),
      let form = NameForm.form(of: names[index], and: others[index])
    else { return nil }
    let place = names[..<index].map { "\($0)/" }.joined()
    let pattern = form.replacing(/\{[a-z]+\}/, with: "*")
    guard !(place + form).contains("\\") else { return nil }
    return "\(quoted(place + pattern)): \(quoted(form))"
  }

  /// A text as JSON5 has it.
  private static func quoted(_ text: String) -> String {
    "\"\(text.replacing("\"", with: "\\\""))\""
  }

  /// The names in the path of a line on an item; nil for any other line.
  private static func components(of line: String) -> [String]? {
    guard line.hasPrefix("+ ") || line.hasPrefix("- ") else { return nil }
    let path = line.dropFirst(2).split(separator: "  ", omittingEmptySubsequences: false)[0]
    return path.split(separator: "/").map(String.init)
  }
}
