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

  /// The patterns.
  private let patterns: ExpectedPatterns

  init?(reading step: ObjectReader) {
    guard let patterns = step[Self.listsField] else { return nil }
    self.patterns = patterns
  }

  var summary: String { "expectFiles" }

  func perform(in context: inout some StepContext) throws(StepFailure) {
    let tree = try context.look()
    let objection = patterns.objection { directory, visit in
      tree.walk(in: directory) { path, _ in visit(path) }
    }
    switch objection {
    case .missing(let pattern):
      throw StepFailure("expected '\(pattern.shown)' to be there, but nothing matches it")
    case .found(let path, let pattern):
      throw StepFailure("expected nothing to match '\(pattern.shown)', but '\(path)' is there")
    case nil:
      return
    }
  }
}

extension FileTree {
  /// Calls `visit` for an item and all in it, or for every item where none is named.
  fileprivate func walk(
    in directory: ContainerPath?, _ visit: (ContainerPath, FileTree.Item) -> Bool
  ) {
    guard let directory else { return walk(visit) }
    self[directory]?.walk(at: directory, visit)
  }
}
