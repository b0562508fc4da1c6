import BackupFileTree

/// The two lists of patterns that an assertion has.
package struct ExpectedPatterns: Hashable, Sendable {
  /// Patterns that must each match something.
  let expected: [PathPattern]
  /// Patterns that must match nothing.
  let unexpected: [PathPattern]

  /// Throws if an expected pattern matches nothing or, if all of them match, if an unexpected pattern
  /// matches something.
  func require(
    visitingPathsIn visit: (ContainerPath?, (ContainerPath) -> Bool) -> Void,
    missing: (PathPattern) -> String, found: (ContainerPath, PathPattern) -> String
  ) throws(StepFailure) {
    let matches = PatternIndex(expected + unexpected).firstMatches(visitingPathsIn: visit)
    for (pattern, path) in zip(expected, matches) where path == nil {
      throw StepFailure(missing(pattern))
    }
    for (pattern, path) in zip(unexpected, matches.dropFirst(expected.count)) {
      if let path { throw StepFailure(found(path, pattern)) }
    }
  }
}

extension Form where Value == ExpectedPatterns {
  /// Returns the form of the lists of an assertion, such as `{ present: […], absent: […] }`, of which
  /// at least one must be given.
  static func patterns(
    expected: (key: String, meaning: String), unexpected: (key: String, meaning: String)
  ) -> Form {
    let list = Form<[PathPattern]>.list(of: .pattern, named: "patterns")
    let present = Field(expected.key, list, expected.meaning)
    let absent = Field(unexpected.key, list, unexpected.meaning)
    let shape = "{ \(present.key): [patterns], \(absent.key): [patterns] }"
    return .object(shape, [present, absent], [.notEmpty]) { object in
      if object.keys.isEmpty { object.reader.report("nothing is asserted; expected \(shape)") }
      return ExpectedPatterns(expected: object[present] ?? [], unexpected: object[absent] ?? [])
    }
  }
}
