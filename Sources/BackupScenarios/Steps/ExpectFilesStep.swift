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
      lists, by: .observer, "What must be on disk, and what must not.",
      examples: [["expectFiles": ["present": ["Documents/notes.txt"], "absent": ["tmp/*"]]]]
    ) { step in
      guard let patterns = step[lists] else { return nil }
      return StepAction(summary: "expectFiles") { run throws(StepFailure) in
        let tree = try run.look()
        var count = 0
        try patterns.require { directory, visit in
          tree.walk(from: directory) { path, _ in
            count += 1
            return visit(path)
          }
        } missing: { pattern in
          "expected an item that matches '\(pattern.shown)', but no item matches"
        } found: { path, pattern in
          "expected no item that matches '\(pattern.shown)', but '\(path)' exists"
        }
        try run.tally.charge(lookingAt: count)
      }
    }
  }()
}
