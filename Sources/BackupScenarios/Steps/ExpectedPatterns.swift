import BackupFileTree

/// The two lists of patterns that an assertion has.
struct ExpectedPatterns {
  /// Patterns that must each match something.
  private let expected: [PathPattern]
  /// Patterns that must match nothing.
  private let unexpected: [PathPattern]
  /// Both, the expected ones first.
  private let index: PatternIndex

  init(expected: [PathPattern], unexpected: [PathPattern]) {
    self.expected = expected
    self.unexpected = unexpected
    self.index = PatternIndex(expected + unexpected)
  }

  /// Requires that the patterns match what they must, and nothing that they must not; missing ones
  /// are said first.
  func require(
    visitingPathsIn visit: (ContainerPath?, (ContainerPath) -> Bool) -> Void,
    missing: (PathPattern) -> String, found: (ContainerPath, PathPattern) -> String
  ) throws(StepFailure) {
    let matches = index.firstMatches(visitingPathsIn: visit)
    for (pattern, path) in zip(expected, matches) where path == nil {
      throw StepFailure(missing(pattern))
    }
    for (pattern, path) in zip(unexpected, matches.dropFirst(expected.count)) {
      if let path { throw StepFailure(found(path, pattern)) }
    }
  }
}

extension Form where Value == ExpectedPatterns {
  /// `{ present: […], absent: […] }`, at least one of them, by the keys of an assertion and what
  /// they mean.
  static func patterns(
    expected: (key: String, meaning: String), unexpected: (key: String, meaning: String)
  ) -> Form {
    let list = Form<[PathPattern]>.list(of: .pattern, named: "patterns")
    let present = Field(expected.key, list, expected.meaning)
    let absent = Field(unexpected.key, list, unexpected.meaning)
    let shape = "{ \(present.key): [patterns], \(absent.key): [patterns] }"
    return .object(shape, [present, absent], [.notEmpty]) { object in
      if object.keys.isEmpty { object.reader.note("nothing is asserted; expected \(shape)") }
      return ExpectedPatterns(expected: object[present] ?? [], unexpected: object[absent] ?? [])
    }
  }
}
