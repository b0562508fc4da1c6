import BackupFileTree

extension StepKind {
  static let expectFiles: StepKind = {
    let lists = Field(
      "expectFiles",
      .patterns(
        expected: ("present", "Patterns that must each match an item."),
        unexpected: ("absent", "Patterns that must not match any item.")),
      default: .required, "Patterns, at least one list of them.")
    return StepKind(
      .expectFiles, lists, "What must be on disk, and what must not.",
      examples: [["expectFiles": ["present": ["Documents/notes.txt"], "absent": ["tmp/*"]]]]
    ) { step in
      step[lists].map { .check(.files($0)) }
    }
  }()
}

extension ScenarioRun {
  mutating func expectFiles(_ patterns: ExpectedPatterns) throws(StepFailure) {
    let tree = try currentTree()
    var examinedCount = 0
    try patterns.require { directory, visit in
      tree.walk(from: directory) { path, _ in
        examinedCount += 1
        return visit(path)
      }
    } messageIfMissing: { pattern in
      "expected an item that matches '\(pattern.shown)', but no item matches"
    } messageIfFound: { path, pattern in
      "expected no item that matches '\(pattern.shown)', but '\(path)' exists"
    }
    try tally.charge(examining: examinedCount)
  }
}
