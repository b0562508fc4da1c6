import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupRules
import BackupScenarios

/// A finding as JSON reports have it.
struct JSONFinding: Codable {
  /// The name of the broken rule.
  let rule: String
  /// `error`, `warning` or `advice`.
  let severity: String
  /// The step that caused it; left out where there are no steps.
  let step: JSONStepNumber?
  /// Its line in the scenario file; left out likewise.
  let line: Int?
  /// The item; left out where it is about the whole.
  let path: String?
  /// What is wrong and why.
  let message: String
  /// What to do about it.
  let advice: String
  /// What to know before; left out where there is nothing.
  let note: String?
  /// The keys of the sources that the rule comes from.
  let sources: [String]
  /// Whether the scenario says that it must come; left out where there is none.
  let expected: Bool?

  /// A finding of a container that was found as it is, without steps.
  init(_ finding: Scenario.Finding) {
    self.init(finding, at: nil, isExpected: nil)
  }

  /// A finding that was compared with what the scenario expects.
  init(_ judged: ScenarioResult.Run.JudgedFinding) {
    self.init(judged.finding, at: judged.finding.step, isExpected: judged.isExpected)
  }

  /// A finding, with the step that caused it and whether it had to come, where there is such a thing.
  private init(
    _ finding: Scenario.Finding, at step: Scenario.StepReference?, isExpected: Bool?
  ) {
    self.rule = finding.rule
    self.severity = finding.severity.rawValue
    self.step = step.map(JSONStepNumber.init)
    self.line = step?.position.line
    self.path = finding.path?.description
    self.message = finding.message.asMessage
    self.advice = finding.advice.asMessage
    self.note = finding.note?.asMessage
    self.sources = finding.sources.map(\.key)
    self.expected = isExpected
  }
}

/// A step's number: a JSON number, or `launch 1`.
struct JSONStepNumber: Codable, Hashable {
  /// The number, with the list of steps that it counts in.
  let number: Scenario.StepReference.Number

  /// The number of a step.
  init(_ step: Scenario.StepReference) {
    self.number = step.number
  }

  /// Reads what ``encode(to:)`` writes.
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Int.self) {
      self.number = .step(number)
      return
    }
    let words = try container.decode(String.self).split(separator: " ")
    guard words.count == 2, words[0] == "launch", let number = Int(words[1]) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "expected a number or 'launch 1'")
    }
    self.number = .launch(number)
  }

  /// Writes a number, or `launch` and a number.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch number {
    case .step(let number): try container.encode(number)
    case .launch, .call, .found: try container.encode(number.description)
    }
  }
}
