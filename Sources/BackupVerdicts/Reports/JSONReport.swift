import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupRules
import BackupScenarios

extension OutputFormat<SuiteReport> {
  /// JSON for other programs: an entry for each scenario under each system and backup kind.
  static var json: OutputFormat { json { JSONReport($0) } }
}

/// A report as its JSON has it. Paths are written as in golden files, so that each is a string and
/// no two are the same.
struct JSONReport: Codable {
  /// The version of this shape.
  var format = 1
  /// An entry for each scenario and variant.
  let scenarios: [Entry]
  /// How many entries passed.
  let passed: Int
  /// How many did not.
  let failed: Int
  /// Golden files that no scenario names; left out where there are none.
  let orphans: [String]?

  /// A scenario under one system and backup kind.
  struct Entry: Codable {
    /// The scenario's id: its path below the scenario folder.
    let id: String
    /// The scenario's file, as it was named to the tool.
    let file: String
    /// The version of iOS.
    let system: String
    /// The kind of backup.
    let backups: String
    /// `passed`, `failed`, `recorded` or `error`.
    let verdict: String
    /// What the system did.
    let events: [JSONEvent]
    /// What broke a rule.
    let findings: [JSONFinding]
    /// Everything that has to be known of the whole scenario; left out where there is nothing.
    let problems: [Problem]?
  }

  /// Why a scenario failed, or something worth a look.
  struct Problem: Codable {
    /// The line in the scenario file.
    let line: Int
    /// The column in that line, in UTF-8 bytes from 1.
    let column: Int
    /// Whether it fails the scenario.
    let fails: Bool
    /// What is wrong, with the runs where it is not in all.
    let message: String
    /// What to do, the lines that differ, and the like.
    let details: [String]
  }

  /// A report on results.
  init(_ report: SuiteReport) {
    self.scenarios = report.results.flatMap { result in
      let problems = result.problems.map(Problem.init)
      return result.runs.map { Entry($0, of: result, problems: problems) }
    }
    self.passed = scenarios.count { $0.verdict == ScenarioResult.Verdict.passed.rawValue }
    self.failed = scenarios.count - passed
    self.orphans = report.orphans.isEmpty ? nil : report.orphans
  }
}

extension JSONReport.Entry {
  /// An entry for one run of a scenario.
  fileprivate init(
    _ run: ScenarioResult.Run, of result: ScenarioResult, problems: [JSONReport.Problem]
  ) {
    self.id = result.scenario.id
    self.file = result.scenario.file
    self.system = run.variant.system.description
    self.backups = run.variant.backups.rawValue
    self.verdict = result.verdict(of: run).rawValue
    self.events = run.transcript?.entries.compactMap(JSONEvent.init) ?? []
    self.findings = run.findings.map(JSONFinding.init)
    self.problems = problems.isEmpty ? nil : problems
  }
}

extension JSONReport.Problem {
  /// A problem of a scenario.
  fileprivate init(_ problem: Scenario.Problem) {
    self.line = problem.position.line
    self.column = problem.position.column
    self.fails = problem.isFailure
    self.message = problem.variants.map { "\(problem.message) [\($0)]" } ?? problem.message
    self.details = problem.details
  }
}

extension ScenarioResult {
  /// How one of its runs ended.
  ///
  /// What is wrong with the golden file is wrong with every run, and where another run kept this one
  /// from being compared, it ended as the whole did.
  fileprivate func verdict(of run: Run) -> Verdict {
    if run.hasBrokenOff { return .error }
    if run.hasFailingFindings(isStrict: isStrict) { return .failed }
    switch golden {
    case .matches: return .passed
    case .missing, .differs: return .failed
    case .recorded: return .recorded
    case .notCompared, .unusable: return verdict
    }
  }
}

/// A finding as the JSON report has it.
struct JSONFinding: Codable {
  /// The name of the broken rule.
  let rule: String
  /// `error`, `warning` or `advice`.
  let severity: String
  /// The step that caused it.
  let step: JSONStepNumber
  /// Its line in the scenario file.
  let line: Int
  /// The item; left out where it is about the whole.
  let path: String?
  /// What is wrong and why.
  let message: String
  /// What to do about it.
  let advice: String
  /// The keys of the sources that the rule comes from.
  let sources: [String]
  /// Whether the scenario says that it must come.
  let expected: Bool

  /// A finding that was compared with what the scenario expects.
  init(_ judged: ScenarioResult.Run.JudgedFinding) {
    let finding = judged.finding
    self.rule = finding.rule
    self.severity = finding.severity.rawValue
    self.step = JSONStepNumber(finding.step)
    self.line = finding.step.position.line
    self.path = finding.path?.description
    self.message = finding.message
    self.advice = finding.advice
    self.sources = finding.sources.map(\.key)
    self.expected = judged.isExpected
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
    case .launch, .call: try container.encode(number.description)
    }
  }
}
