import BackupDiagnostics
import BackupJSON5

/// `readDefault: "key"`, with `expect`: the app reads a value of its defaults.
struct ReadDefaultStep: StepAction {
  private static let keyField = Field(
    "readDefault", .defaultKey, default: .required, "The key to read.")
  /// `expect`: what the app finds there.
  private static let expectedField = Field(
    "expect", .expectedDefault, default: .inWords("whatever is there, or nothing"),
    "What the app must find there: a text, a number, true or false; null for nothing.")

  static let declaration = StepDeclaration(
    keyField, by: .app,
    "The app reads a value of its user defaults; with 'expect' the step fails where it finds another.",
    examples: [["readDefault": "downloaded", "expect": true]], beside: [expectedField])

  /// What the app must find.
  fileprivate enum Expected {
    case value(DefaultValue)
    case nothing
  }

  private let key: String
  /// What the app must find; nil for anything.
  private let expected: Expected?

  init?(reading step: ObjectReader) {
    guard let key = step[Self.keyField], !step.isMistaken(Self.expectedField) else { return nil }
    self.key = key
    self.expected = step[Self.expectedField]
  }

  var summary: String { "readDefault \(EscapedText.escape(key))" }

  func perform(in run: inout ScenarioRun) throws(StepFailure) {
    let found = try run.defaults()[key]
    let isExpected =
      switch expected {
      case .value(let value): found?.isSame(as: value) == true
      case .nothing: found == nil
      case nil: true
      }
    guard !isExpected else { return }
    throw StepFailure(
      "expected the default '\(key.shown)' to be \(expected?.description ?? "there"), but it is "
        + (found?.description ?? "not there"))
  }
}

extension ReadDefaultStep.Expected: CustomStringConvertible {
  /// What is expected, in words.
  var description: String {
    switch self {
    case .value(let value): value.description
    case .nothing: "not there"
    }
  }
}

extension Form where Value == ReadDefaultStep.Expected {
  /// A value, or null for nothing.
  fileprivate static var expectedDefault: Form {
    let value = Form<DefaultValue>.defaultValue
    return Form(
      expected: "\(value.expected), or null", words: "\(value.words), or `null`",
      schema: ["anyOf": [value.schema, ["type": "null"]]]
    ) { reader in
      if case .null = reader.value.kind { return .nothing }
      return value.read(reader).map(ReadDefaultStep.Expected.value)
    }
  }
}
