import BackupExploration
import BackupFileTree
import BackupRules
import BackupScenarios
import TrialSupport

/// The result of exploring a scenario of simulated steps.
struct ExploredRun {
  /// The rule and the item of a finding, without its message.
  struct Subject: Hashable, CustomStringConvertible {
    let rule: String
    /// The item's path; `-` if the finding is about no item.
    let path: String

    init(_ finding: Scenario.Finding) {
      rule = finding.rule
      path = finding.path.map { "\($0)" } ?? "-"
    }

    var description: String { "\(rule) \(path)" }
  }

  /// A finding and the trace that has it.
  struct Found: CustomStringConvertible {
    let finding: Scenario.Finding
    /// The replay token of the trace, for example `trial:2.kill(2~write)`.
    let token: String
    /// The trace as the text of a scenario file.
    let text: String

    var subject: Subject { Subject(finding) }

    /// Returns true if exploration reports only one of the two findings.
    ///
    /// Their subjects are equal, or an event in the same step causes the same problem in one
    /// directory.
    func hasCause(of other: Found) -> Bool {
      subject == other.subject || cause == other.cause && firstEventStep == other.firstEventStep
    }

    /// The rule and the item's directory. Rules that report a missing mark count as one.
    private var cause: [String?] {
      let missingMarkRules: Set = ["reapply-on-save", "recreatable-data-backed-up"]
      return [
        missingMarkRules.contains(finding.rule) ? "a missing mark" : finding.rule,
        finding.path?.parent.map { "\($0)" },
      ]
    }

    private var firstEventStep: Substring? {
      token.split(separator: ":").last?.split(separator: ".").first
    }

    var description: String { "\(subject): \(token)" }
  }

  let result: ExploredScenario

  /// Explores a scenario, or replays one trace.
  ///
  /// - Parameters:
  ///   - scenario: The scenario.
  ///   - token: The replay token of the trace; nil to explore all traces.
  ///   - depth: The most injected events in a trace.
  ///   - budget: The most traces.
  /// - Throws: An error if the token is not valid.
  init(
    _ scenario: Scenario, replaying token: String? = nil, depth: Int = 1, budget: Int = 100_000
  ) async throws {
    var bounds = Scenario.ExplorationBounds()
    bounds.depth = depth
    bounds.budget = budget
    bounds.replayToken = try token.map { try ReplayToken($0) }
    result = await ExploredScenario(scenario, bounds)
  }

  /// Explores steps, written as in a scenario file, with other keys such as `files`.
  init(
    _ steps: [String], _ otherKeys: String = "", replaying token: String? = nil, depth: Int = 1,
    budget: Int = 100_000
  ) async throws {
    try await self.init(
      try Trial.scenario(steps, otherKeys), replaying: token, depth: depth, budget: budget)
  }

  var found: [Found] {
    result.counterexamples.map { Found(finding: $0.finding, token: $0.token, text: $0.text) }
  }

  /// The findings, each as `rule path`.
  var subjects: [String] { found.map { "\($0.subject)" } }

  /// True if the tool would exit with status 0.
  var isGreen: Bool { isExplored && !result.hasError }

  /// The number of traces under all systems.
  var traceCount: Int { result.counts.traces }

  var isComplete: Bool { result.counts.isWithinLimits }

  /// True if the exploration failed, or a trace of it stopped early.
  var hasFailed: Bool { result.hasFailed }

  /// The reason why the scenario was not explored; empty if it was.
  var obstacle: String { result.obstacle ?? "" }

  var isExplored: Bool { result.obstacle == nil && !result.hasFailed }
}
