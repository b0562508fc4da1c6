import BackupDiagnostics
import BackupJSON5

extension StepKind {
  static let readDefault: StepKind = {
    let key = Field<String>("readDefault", .defaultKey, default: .required, "The key to read.")
    let expected = Field(
      "expect", .expectedDefault, default: .inWords("no check"),
      "The value that the app must find. null: the app must find no value.")
    return StepKind(
      .readDefault, key,
      "The app reads a user default. The step fails if the value differs from 'expect'.",
      examples: [["readDefault": "downloaded", "expect": true]], beside: [expected, Self.suite]
    ) { step in
      guard let key = step[key], !step.isInvalid(expected), !step.isInvalid(Self.suite)
      else { return nil }
      return .app(.readDefault(key, expected: step[expected], suite: step[Self.suite]))
    }
  }()
}

extension ScenarioRun {
  mutating func readDefault(
    _ key: String, expecting expected: ExpectedDefault?, in suite: String?
  ) throws(StepFailure) {
    let storedValue = hidesUserDefaults ? nil : try preferences(of: suite).values[key]
    if storedValue != nil { try recordUse(ofValue: key) }
    guard let expected, !expected.isMet(by: storedValue) else { return }
    throw StepFailure(
      "expected the default '\(key.escapedExcerpt)' to be \(expected), but it is "
        + (storedValue?.description ?? "not set")
        + (hidesUserDefaults ? ", because user defaults read as empty before the first unlock" : "")
    )
  }
}

package enum ExpectedDefault: Hashable, Sendable, CustomStringConvertible {
  case value(StoredValue)
  case nothing

  func isMet(by storedValue: StoredValue?) -> Bool {
    switch self {
    case .value(let value): storedValue?.isSame(as: value) == true
    case .nothing: storedValue == nil
    }
  }

  package var description: String {
    switch self {
    case .value(let value): value.description
    case .nothing: "not set"
    }
  }
}

extension Form where Value == ExpectedDefault {
  static var expectedDefault: Form {
    let value = Form<StoredValue>.storedValue
    return Form(
      expected: "\(value.expected), or null", words: "\(value.words), or `null`",
      schema: ["anyOf": [value.schema, ["type": "null"]]]
    ) { reader in
      if case .null = reader.value.kind { return .nothing }
      return value.read(reader).map(ExpectedDefault.value)
    }
  }
}
