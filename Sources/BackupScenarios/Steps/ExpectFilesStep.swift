import BackupFileTree

/// `expectFiles: { present: […], absent: […] }`: what is on disk now.
struct ExpectFilesStep: StepAction {
  /// The keyword, with two lists of patterns.
  private static let listsField = Field(
    "expectFiles",
    .patterns(
      expected: ("present", "Patterns that must each match something."),
      unexpected: ("absent", "Patterns that must match nothing.")),
    default: .required, "Patterns, at least one list of them.")

  static let declaration = StepDeclaration(
    listsField, by: .observer, "What must be on disk now, and what must not.",
    examples: [["expectFiles": ["present": ["Documents/notes.txt"], "absent": ["tmp/*"]]]])

  private let patterns: ExpectedPatterns

  init?(reading step: ObjectReader) {
    guard let patterns = step[Self.listsField] else { return nil }
    self.patterns = patterns
  }

  var summary: String { "expectFiles" }

  func perform(in run: inout ScenarioRun) throws(StepFailure) {
    let tree = try run.look()
    try patterns.require { directory, visit in
      tree.walk(from: directory) { path, _ in visit(path) }
    } missing: { pattern in
      "expected '\(pattern.shown)' to be there, but nothing matches it"
    } found: { path, pattern in
      "expected nothing to match '\(pattern.shown)', but '\(path)' is there"
    }
  }
}
