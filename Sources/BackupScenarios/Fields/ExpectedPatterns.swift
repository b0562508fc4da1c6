import BackupFileTree

/// The two lists of patterns that an assertion has.
struct ExpectedPatterns {
  /// Patterns that must each match something.
  private let expected: [PathPattern]
  /// Patterns that must match nothing.
  private let unexpected: [PathPattern]
  /// Both, the expected ones first.
  private let index: PatternIndex

  /// The two lists of an assertion.
  init(expected: [PathPattern], unexpected: [PathPattern]) {
    self.expected = expected
    self.unexpected = unexpected
    self.index = PatternIndex(expected + unexpected)
  }

  /// What is wrong with some paths.
  enum Objection {
    /// The first pattern that should match something and does not.
    case missing(PathPattern)
    /// The first pattern that should match nothing, and the first path that it matches.
    case found(ContainerPath, PathPattern)
  }

  /// What is wrong with the paths that are there.
  ///
  /// - Parameter visit: Calls a function with the paths in a directory, as `PatternIndex` asks for.
  /// - Returns: The first thing, of missing ones before any that was found; nil where all is well.
  func objection(
    visitingPathsIn visit: (ContainerPath?, (ContainerPath) -> Bool) -> Void
  ) -> Objection? {
    let matches = index.firstMatches(visitingPathsIn: visit)
    for (pattern, path) in zip(expected, matches) where path == nil { return .missing(pattern) }
    for (pattern, path) in zip(unexpected, matches.dropFirst(expected.count)) {
      if let path { return .found(path, pattern) }
    }
    return nil
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
