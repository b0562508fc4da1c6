import BackupFileTree

/// The two lists of patterns in an `expectFiles` or `expectBackup` step.
package struct ExpectedPatterns: Hashable, Sendable {
  /// Patterns that must each match something.
  let expectedPatterns: [PathPattern]
  /// Patterns that must match nothing.
  let unexpectedPatterns: [PathPattern]

  /// Throws if an expected pattern matches nothing. Otherwise, throws if an unexpected pattern
  /// matches something.
  ///
  /// - Parameters:
  ///   - visit: Calls a function for the paths in a directory, or for all paths if the directory is
  ///     nil. Stops when the function returns false.
  ///   - messageIfMissing: Returns the message on an expected pattern that matches nothing.
  ///   - messageIfFound: Returns the message on an unexpected pattern that matches a path.
  /// - Throws: ``StepFailure`` with one of these messages.
  func require(
    visitingPathsIn visit: (ContainerPath?, (ContainerPath) -> Bool) -> Void,
    messageIfMissing: (PathPattern) -> String,
    messageIfFound: (ContainerPath, PathPattern) -> String
  ) throws(StepFailure) {
    let firstMatches = PatternIndex(expectedPatterns + unexpectedPatterns).firstMatches(
      visitingPathsIn: visit)
    for (pattern, path) in zip(expectedPatterns, firstMatches) where path == nil {
      throw StepFailure(messageIfMissing(pattern))
    }
    for (pattern, path) in zip(unexpectedPatterns, firstMatches.dropFirst(expectedPatterns.count)) {
      if let path { throw StepFailure(messageIfFound(path, pattern)) }
    }
  }
}

extension Form where Value == ExpectedPatterns {
  /// Returns the form of an assertion with two lists, such as `{ present: […], absent: […] }`. At
  /// least one list must be given.
  static func patterns(
    expected: (key: String, meaning: String), unexpected: (key: String, meaning: String)
  ) -> Form {
    let listForm = Form<[PathPattern]>.list(of: .pattern, named: "patterns")
    let expectedField = Field(expected.key, listForm, expected.meaning)
    let unexpectedField = Field(unexpected.key, listForm, unexpected.meaning)
    let shape = "{ \(expectedField.key): [patterns], \(unexpectedField.key): [patterns] }"
    return .object(shape, [expectedField, unexpectedField], [.notEmpty]) { object in
      if object.keys.isEmpty { object.reader.report("nothing is asserted; expected \(shape)") }
      return ExpectedPatterns(
        expectedPatterns: object[expectedField] ?? [],
        unexpectedPatterns: object[unexpectedField] ?? [])
    }
  }
}
