import BackupDiagnostics
import BackupExploration
import BackupFileTree
import BackupRules
import BackupScenarios

extension OutputFormat<ExplorationReport> {
  /// JSON for other programs: an entry for each scenario.
  static var json: OutputFormat { json { ExplorationJSON($0) } }
}

/// What came of explorations, as its JSON has it.
struct ExplorationJSON: Codable {
  /// The version of this shape.
  var format = 1
  /// An entry for each scenario.
  let scenarios: [Entry]
  /// How many scenarios name findings by `expect`, and were left out.
  let leftOut: Int

  /// A scenario.
  struct Entry: Codable {
    /// Its id.
    let id: String
    /// Its file, as it was named to the tool.
    let file: String
    /// Why it was not explored; left out where it was.
    let obstacle: String?
    /// Why some of it was not explored; left out for nothing.
    let trouble: String?
    /// Whether every point was tried.
    let complete: Bool
    /// The points between activities, and those within.
    let restPoints, innerPoints: Int
    /// The histories, and those of them that the steps could not go on with.
    let histories, abandoned: Int
    /// The activities of the app's own code whose changes were not all seen.
    let unseenActivities: Int
    /// The mistakes.
    let counterexamples: [Example]
  }

  /// A mistake with its smallest story.
  struct Example: Codable {
    /// What is wrong: the broken rule, or how long it lasts.
    let rule: String
    /// `error`, `warning` or `advice`.
    let severity: String
    /// `lasting`, `interrupted` or `strict`.
    let tier: String
    /// What the system did and where, for `--replay`.
    let token: String
    /// The step of the scenario in which the system first acts, and its line.
    let step: JSONStepNumber
    let line: Int
    /// The item; left out where it is about the whole.
    let path: String?
    /// What is wrong, and what to do about it.
    let message, advice: String
    /// The story as a scenario file, and how many steps it has.
    let story: String
    let steps: Int
  }

  /// The JSON of a report.
  init(_ report: ExplorationReport) {
    self.scenarios = report.results.map(Entry.init)
    self.leftOut = report.leftOut
  }
}

extension ExplorationJSON.Entry {
  /// The entry of a scenario.
  fileprivate init(_ result: ExploredScenario) {
    let counts = result.counts
    self.init(
      id: result.scenario.id, file: result.scenario.file, obstacle: result.obstacle,
      trouble: result.trouble,
      complete: counts.isComplete, restPoints: counts.quiescentPoints,
      innerPoints: counts.crashPoints,
      histories: counts.traces, abandoned: counts.abandoned,
      unseenActivities: counts.unseenActivities,
      counterexamples: result.counterexamples.map(ExplorationJSON.Example.init))
  }
}

extension ExplorationJSON.Example {
  /// The entry of a mistake.
  fileprivate init(_ example: Counterexample) {
    self.init(
      rule: example.rule, severity: example.severity.rawValue, tier: example.tier.rawValue,
      token: example.token, step: JSONStepNumber(example.step), line: example.step.position.line,
      path: example.finding.path?.description, message: example.sentence,
      advice: example.finding.advice, story: example.text, steps: example.stepCount)
  }
}
