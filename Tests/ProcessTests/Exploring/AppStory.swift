#if os(macOS) || os(Linux)
import BackupTesting
import Foundation
import Testing

@testable import BackupExploration
@testable import BackupRules
@testable import BackupScenarios
@testable import BackupTesting

/// A scenario with the app that it is about, each launch of which is a process.
struct AppStory {
  let scenario: Scenario
  let runner: ScenarioRunner

  /// The story that the text of a scenario file tells.
  init(_ app: (some AppUnderTest).Type, text: String) async throws {
    scenario = try Scenario(text: text, id: "x", file: "x.json5")
    let host = try await ProcessHost.host(
      for: app, timeLimit: .seconds(60), limit: TestProcess.current.limits.scenarios,
      at: scenario.sourceLocation(.start))
    runner = ScenarioRunner(host: host)
  }

  /// The story of steps, each written as in a scenario file, as the keys before them are.
  init(_ app: (some AppUnderTest).Type, _ steps: [String], head: String = "") async throws {
    try await self.init(
      app,
      text: "{ title: 'Trial', golden: { compare: false }, \(head) steps: [\n"
        + "\(steps.joined(separator: ",\n"))\n] }")
  }

  /// The first system and backup kind that it is told under.
  var variant: Scenario.Variant {
    get throws { try #require(scenario.variants.first) }
  }

  /// What is found where it is run and not explored, and the reason where a step fails.
  func run() async throws -> (findings: [Scenario.Finding], failure: String?) {
    let transcript = try await runner.run(scenario, variant)
    return (RuleList.findings(in: transcript), transcript.failure?.message)
  }

  /// What exploring it comes to.
  func explored(_ settings: Scenario.ExplorationBounds = Scenario.ExplorationBounds()) async
    -> ExploredScenario
  {
    var settings = settings
    // A busy machine takes long.
    settings.duration = .seconds(3600)
    return await ExploredScenario(scenario, settings, on: ExplorationStage(runner))
  }
}
#endif
