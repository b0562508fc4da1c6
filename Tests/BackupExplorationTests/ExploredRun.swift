import BackupExploration
import BackupFileTree
import BackupRules
import BackupScenarios
import TrialSupport

/// What exploring a scenario of simulated steps comes to. The acceptance tests use exploration by
/// this file alone.
struct ExploredRun {
  /// A finding without its words.
  struct Subject: Hashable, CustomStringConvertible {
    let rule: String
    /// The item's path; `-` where there is none.
    let path: String

    init(_ finding: Scenario.Finding) {
      rule = finding.rule
      path = finding.path.map { "\($0)" } ?? "-"
    }

    var description: String { "\(rule) \(path)" }
  }

  /// Something that was found, and where the system acted.
  struct Found: CustomStringConvertible {
    let finding: Scenario.Finding
    let token: String
    /// The scenario file that is to show it.
    let text: String

    var subject: Subject { Subject(finding) }

    /// Whether one report stands for both: of the same item, or of items of one directory, which an
    /// event in the same step brings about.
    func hasCause(of other: Found) -> Bool {
      subject == other.subject || cause == other.cause && step == other.step
    }

    /// The rule, or that a mark is missing, and the directory of the item.
    private var cause: [String?] {
      let marks: Set = ["reapply-on-save", "recreatable-data-backed-up"]
      return [
        marks.contains(finding.rule) ? "a missing mark" : finding.rule,
        finding.path?.parent.map { "\($0)" },
      ]
    }

    /// The step of the first event.
    private var step: Substring? { token.split(separator: ":").last?.split(separator: ".").first }
    var description: String { "\(subject): \(token)" }
  }

  let result: ExploredScenario

  /// Explores a scenario, or follows the one history that a token names.
  ///
  /// - Parameters:
  ///   - scenario: The scenario.
  ///   - token: What is replayed; nil for all.
  ///   - depth: How many events there are at most.
  ///   - budget: How many histories are followed at most.
  /// - Throws: What is wrong with the token.
  init(
    _ scenario: Scenario, replaying token: String? = nil, depth: Int = 1, budget: Int = 100_000
  ) async throws {
    var bounds = Scenario.ExplorationBounds()
    bounds.depth = depth
    bounds.budget = budget
    bounds.replayed = try token.map { try ReplayToken($0) }
    result = await ExploredScenario(scenario, bounds)
  }

  /// Explores steps, written as in a scenario file.
  init(
    _ steps: [String], _ other: String = "", replaying token: String? = nil, depth: Int = 1,
    budget: Int = 100_000
  ) async throws {
    try await self.init(
      try Trial.scenario(steps, other), replaying: token, depth: depth, budget: budget)
  }

  var found: [Found] {
    result.counterexamples.map { Found(finding: $0.finding, token: $0.token, text: $0.text) }
  }

  /// The findings, each as `rule path`.
  var subjects: [String] { found.map { "\($0.subject)" } }

  /// Whether the tool would end with status 0.
  var isGreen: Bool { isExplored && !result.isWrong }

  /// How many histories were followed, under all systems.
  var historyCount: Int { result.counts.traces }

  var isComplete: Bool { result.counts.isComplete }

  /// Whether that it was not explored is a failure.
  var hasFailed: Bool { result.hasFailed }

  /// Why it was not explored; empty where it was.
  var obstacle: String { result.obstacle ?? "" }

  /// Whether the scenario was explored, or its one history followed.
  var isExplored: Bool { result.obstacle == nil && !result.hasFailed }
}
