#if os(macOS) || os(Linux)
import BackupTesting
import Foundation
import Testing

@testable import BackupExploration
@testable import BackupRules
@testable import BackupScenarios
@testable import BackupTesting

/// A scenario and its app, which runs in a new process at each launch.
struct AppStory {
  let scenario: Scenario
  let runner: ScenarioRunner

  /// Creates a story from the text of a scenario file.
  init(_ app: (some AppUnderTest).Type, text: String) async throws {
    scenario = try Scenario(text: text, id: "x", file: "x.json5")
    let host = try await ProcessHost.host(
      for: app, timeLimit: .seconds(60), limit: TestProcess.current.limits.scenarioApps,
      at: scenario.sourceLocation(.start))
    runner = ScenarioRunner(host: host)
  }

  /// Creates a story from steps in the notation of a scenario file, with further keys in `head`.
  init(_ app: (some AppUnderTest).Type, _ steps: [String], head: String = "") async throws {
    try await self.init(
      app,
      text: "{ title: 'Trial', golden: { compare: false }, \(head) steps: [\n"
        + "\(steps.joined(separator: ",\n"))\n] }")
  }

  /// The scenario's first variant, which is an iOS version and a kind of backup.
  var variant: Scenario.Variant {
    get throws { try #require(scenario.variants.first) }
  }

  /// Runs the scenario without exploration. Returns the findings, and why a step failed.
  func run() async throws -> (findings: [Scenario.Finding], failure: String?) {
    let transcript = try await runner.run(scenario, variant)
    return (RuleList.findings(in: transcript), transcript.failure?.message)
  }

  /// Explores the scenario.
  func explored(_ settings: Scenario.ExplorationBounds = Scenario.ExplorationBounds()) async
    -> ExploredScenario
  {
    var settings = settings
    // On a busy machine, exploration takes long.
    settings.duration = .seconds(3600)
    return await ExploredScenario(scenario, settings, on: ExplorationStage(runner))
  }
}
#endif
