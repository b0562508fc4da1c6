import BackupTesting
import Foundation
import TestSupport
import Testing

@testable import BackupExploration
@testable import BackupScenarios
@testable import BackupTesting

/// What came of exploring a scenario of a few steps with an app of its own process.
struct ExplorationTrial {
  /// What came of it.
  let result: ExploredScenario

  /// Explores steps, written as in a scenario file.
  init(
    _ app: (some AppUnderTest).Type, _ steps: [String], head: String = "",
    _ settings: ExplorationSettings = ExplorationSettings()
  ) async throws {
    let folder = try TestFolder([
      "Scenarios/x.json5":
        "{ title: 'Trial', golden: { compare: false }, \(head) steps: [\n"
        + "\(steps.joined(separator: ",\n"))\n] }"
    ])
    let scenario = try #require(try Scenario.all(in: folder.path + "/Scenarios").first)
    let host = try await AppHosting.host(
      for: app, timeLimit: .seconds(60), limit: TestProcess.current.limits.scenarios,
      at: scenario.sourceLocation(.start))
    self.result = await ExploredScenario(
      scenario, settings, on: StoryStage(ScenarioRunner(host: host)))
  }

  /// The report.
  var text: String { ExplorationText.text(of: result) }
}
