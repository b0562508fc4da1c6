import BackupDevice
import BackupDiagnostics
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
  /// How many did not, and were not skipped.
  let failed: Int
  /// How many were skipped.
  let skipped: Int
  /// Why this is not the report of a whole run; left out where it is.
  let obstacle: String?
  /// Golden files that no scenario names; left out where there are none.
  let orphans: [String]?

  /// A scenario under one system and backup kind; one that was not run, for what it performs or
  /// since its file cannot be read, without these.
  struct Entry: Codable {
    /// The scenario's id: its path below the scenario folder.
    let id: String
    /// The scenario's file, as it was named to the tool.
    let file: String
    /// The version of iOS; left out where the scenario was not run.
    var system: String?
    /// The kind of backup; left out likewise.
    var backups: String?
    /// `passed`, `failed`, `recorded`, `error` or `skipped`.
    let verdict: String
    let events: [JSONEvent]
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

  init(_ report: SuiteReport) {
    let entries = report.results.flatMap { result in
      let problems = result.problems.map(Problem.init)
      if result.skippedStep != nil {
        let scenario = result.scenario
        return [Entry(scenario.id, scenario.file, result.verdict, problems)]
      }
      return result.runs.map { Entry($0, of: result, problems: problems) }
    }
    self.scenarios =
      entries
      + report.mistaken.map {
        Entry($0.file.id, $0.file.path, .error, $0.mistakes.map(Problem.init))
      }
    self.passed = scenarios.count { $0.verdict == ScenarioResult.Verdict.passed.rawValue }
    self.skipped = scenarios.count { $0.verdict == ScenarioResult.Verdict.skipped.rawValue }
    self.failed = scenarios.count - passed - skipped
    self.obstacle = report.obstacle
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
    self.events =
      run.transcript?.entries.compactMap { JSONEvent($0, result.scenario.files) } ?? []
    self.findings = run.findings.map(JSONFinding.init)
    self.problems = problems.isEmpty ? nil : problems
  }

  /// The entry of a scenario that was not run.
  fileprivate init(
    _ id: String, _ file: String, _ verdict: ScenarioResult.Verdict,
    _ problems: [JSONReport.Problem]
  ) {
    self.id = id
    self.file = file
    self.verdict = verdict.rawValue
    self.events = []
    self.findings = []
    self.problems = problems
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

  /// A mistake in a file.
  fileprivate init(_ mistake: Scenario.Diagnostic) {
    self.line = mistake.position.line
    self.column = mistake.position.column
    self.fails = true
    self.message = mistake.message
    self.details = []
  }
}

extension ScenarioResult {
  /// How one of its runs ended.
  ///
  /// What is wrong with the golden file is wrong with every run, and where another run kept this
  /// one from being compared, it ended as the whole did.
  fileprivate func verdict(of run: Run) -> Verdict {
    if run.hasBrokenOff { return .error }
    if run.hasFailingFindings(isStrict: isStrict) { return .failed }
    switch golden {
    case .matches: return .passed
    case .missing, .differs, .needless: return .failed
    case .recorded: return .recorded
    case .notCompared, .unusable: return verdict
    }
  }
}
