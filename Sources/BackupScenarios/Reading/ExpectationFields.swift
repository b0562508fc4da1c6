import BackupCollections
package import BackupDevice
import BackupDiagnostics
import BackupJSON5

/// The keys of an expected finding in a scenario's `expect`.
package struct ExpectationFields {
  private let rule: Field<String>
  private let severity = Field(
    "severity", .word(of: Scenario.Severity.self, named: "severity"), default: .inWords("any"),
    "The finding's severity.")
  private let step: Field<Scenario.StepReference.Number>
  private let path = Field(
    "path", .path, default: .inWords("any"), "The item that the finding is about.")
  private let systems: Field<[SystemVersion]>
  private let backups: Field<[SystemProfile.BackupKind]>

  /// Creates the keys. If a count is nil, the key `step` accepts any number of a step. If a list
  /// is empty, any system or kind of backup is permitted.
  package init(
    rules: [String], launchCount: Int? = nil, stepCount: Int? = nil,
    systems: [SystemVersion] = [], backups: [SystemProfile.BackupKind] = []
  ) {
    self.rule = Field(
      "rule", .rule(of: rules), default: .required, "The rule that reports the finding.")
    self.step = Field(
      "step", .step(launchCount: launchCount, stepCount: stepCount), default: .inWords("any"),
      "The number of the step that causes the finding. \"launch 1\" is step 1 of 'launch'.",
      examples: [5, "launch 1"])
    self.systems = Field(
      "system",
      .oneOrMore(of: .version.restricted(to: systems) { "iOS \($0)" }, named: "version of iOS"),
      default: .inWords("all versions"),
      "The versions of iOS on which the finding occurs.")
    self.backups = Field(
      "backups",
      .oneOrMore(
        of: .backupKind.restricted(to: backups) { $0.rawValue }, named: "kind of backup"),
      default: .inWords("all values"),
      "The values of the scenario's 'backups' for which the finding occurs.")
  }

  package var all: [any DeclaredField] { [rule, severity, step, path, systems, backups] }

  fileprivate static func schema(rules: [String]) -> Schema {
    let head: Schema = [
      "description": "A finding that must occur.",
      "examples": [["rule": "reapply-on-save", "step": 5, "path": "Library/Movies/1.mp4"]],
    ]
    return .named("expectation", head.adding(Schema(of: ExpectationFields(rules: rules).all)))
  }

  /// Reads an expectation, and reports its mistakes. Returns nil if it has no rule.
  func read(_ reader: ValueReader) -> Scenario.Expectation? {
    let expected = "a finding such as \(Scenario.Expectation.example)"
    guard let object = ObjectReader(reader, expected: expected)?.reading(all),
      let rule = object[rule]
    else { return nil }
    let formerRules = Scenario.Expectation.formerRules
    return Scenario.Expectation(
      rule: formerRules[rule] ?? rule, severity: object[severity], step: object[step],
      path: object[path],
      systems: object[systems], backups: object[backups], position: reader.position,
      formerRule: formerRules[rule] == nil ? nil : rule)
  }
}

extension Scenario.Expectation {
  fileprivate static let example = "{ rule: \"reapply-on-save\", step: 5, path: \"…\" }"
}

extension Form where Value == [ValueReader] {
  /// Returns the form of a list of expected findings. `ExpectationFields.read` reads the
  /// findings later, because it needs the values of other fields.
  static func expectations(rules: [String]) -> Form {
    Form(
      expected: "a list of findings", words: "list of findings",
      schema: ["type": "array", "items": ExpectationFields.schema(rules: rules)]
    ) { $0.elements(of: "findings such as \(Scenario.Expectation.example)") }
  }
}

extension Form where Value == String {
  fileprivate static func rule(of names: [String]) -> Form {
    let currentRuleForm = word(names.map { ($0, $0) }, named: "rule")
    return Form(
      expected: "the name of a rule", words: "name of a rule", schema: currentRuleForm.schema
    ) {
      reader in
      if case .string(let text) = reader.value.kind, Scenario.Expectation.formerRules[text] != nil {
        return text
      }
      return currentRuleForm.read(reader)
    }
  }
}

extension Form where Value == SystemProfile.BackupKind {
  static var backupKind: Form {
    word(of: SystemProfile.BackupKind.self, named: "kind of backup").named(
      "backupKind",
      "Where backups go: to iCloud, or to a computer, unencrypted or encrypted. off: to iCloud, "
        + "but the user has switched the app's backup off.")
  }
}

extension Form where Value: Hashable & Sendable {
  /// Returns a form that permits only the values in `list`. An empty list permits all values.
  fileprivate func restricted(
    to permittedValues: [Value], naming name: @escaping @Sendable (Value) -> String
  ) -> Form {
    let permittedSet = Set(permittedValues)
    let names = permittedValues.grouped(by: \.self).compactMap(\.first).map(name).joined(
      separator: ", ")
    return map { value, reader in
      guard !permittedSet.contains(value), !permittedSet.isEmpty else { return value }
      return reader.refuse("the scenario does not run under \(name(value)), only under \(names)")
    }
  }
}

extension Form where Value == Scenario.StepReference.Number {
  /// Returns the form of the step that an expectation names: `5` or `"launch 1"`.
  fileprivate static func step(launchCount: Int?, stepCount: Int?) -> Form {
    let expected = "a step's number, at least 1"
    return Form(
      expected: expected, words: "number, or `\"launch 1\"`",
      schema: [
        "anyOf": [
          [
            "type": "integer", "minimum": 1,
            "maximum": .number(Double(ScenarioReader.maximumStepCount)),
          ],
          ["type": "string", "pattern": "^launch [1-9][0-9]*$"],
        ]
      ]
    ) { reader in
      if case .number(let number) = reader.value.kind, let stepNumber = number.integer {
        guard let stepCount else { return .step(Int(stepNumber)) }
        if stepNumber >= 1, stepNumber <= stepCount { return .step(Int(stepNumber)) }
        return reader.refuse(
          "there is no step \(stepNumber); the scenario has \(stepCount.counted("step"))")
      }
      if case .string(let text) = reader.value.kind, let stepNumber = Int(text.dropFirst(7)),
        text == "launch \(stepNumber)", stepNumber > 0, stepNumber <= launchCount ?? stepNumber
      {
        return .launch(stepNumber)
      }
      let launchExamples =
        switch launchCount ?? 0 {
        case 0: ""
        case 1: ", or \"launch 1\""
        case let count: ", or \"launch 1\" up to \"launch \(count)\""
        }
      return reader.refuse("expected \(expected)\(launchExamples)")
    }
  }
}
