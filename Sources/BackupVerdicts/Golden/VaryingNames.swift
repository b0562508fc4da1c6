import BackupScenarios

/// The names of a difference that look as if they were others in every run.
enum VaryingNames {
  /// How many are shown.
  private static let most = 3

  /// What a scenario file needs for golden files without such names, an entry of `golden.names` for
  /// each.
  ///
  /// - Parameter lines: The lines that differ.
  /// - Returns: Lines to paste, at most three.
  static func entries(for lines: [LineDifference.Line]) -> [String] {
    let (golden, actual) = (
      lines.filter { $0.actualNumber == nil }, lines.filter { $0.goldenNumber == nil }
    )
    var found: [String] = []
    for (line, other) in zip(golden, actual) where line.head == other.head {
      guard let entry = entry(for: line.text, and: other.text), !found.contains(entry) else {
        continue
      }
      found.append(entry)
      if found.count == most { break }
    }
    return found
  }

  /// The entry for two lines that differ in one such name of their paths; nil for any others.
  private static func entry(for line: String, and other: String) -> String? {
    let (names, others) = (components(of: line), components(of: other))
    guard let names, let others, names.count == others.count,
      let index = names.indices.first(where: { names[$0] != others[$0] }),
      let form = NameForm.form(of: names[index], and: others[index])
    else { return nil }
    let place = names[..<index].map { "\($0)/" }.joined()
    let pattern = form.replacing(/\{[a-z]+\}/, with: "*")
    guard !(place + form).contains("\\") else { return nil }
    return "golden: { names: { \(quoted(place + pattern)): \(quoted(form)) } }"
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
