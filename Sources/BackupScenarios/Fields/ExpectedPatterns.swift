import BackupFileTree

/// The two lists of patterns that an assertion has.
struct ExpectedPatterns {
  /// Patterns that must each match something.
  let expected: [PathPattern]
  /// Patterns that must match nothing.
  let unexpected: [PathPattern]
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
