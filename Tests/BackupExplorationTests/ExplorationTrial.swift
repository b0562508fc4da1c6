import BackupRules
import BackupScenarios
import BackupVerdicts
import Testing
import TrialSupport

@testable import BackupExploration

/// Explorations of scenarios that are written in a test.
enum ExplorationTrial {
  /// What is explored of these steps, one a line from the second line on, and of other keys.
  static func explored(
    _ steps: [String], _ other: String = "",
    _ change: (inout Scenario.ExplorationBounds) -> Void = { _ in }
  ) async throws -> ExploredScenario {
    var settings = Scenario.ExplorationBounds()
    change(&settings)
    return await ExploredScenario(try Trial.scenario(steps, other), settings)
  }

  /// What is found in these steps, each as `rule path: acts`.
  static func found(
    _ steps: [String], _ other: String = "",
    _ change: (inout Scenario.ExplorationBounds) -> Void = { _ in }
  ) async throws -> [String] {
    let result = try await explored(steps, other, change)
    return result.counterexamples.map { example in
      let path = example.finding.path.map { " \($0)" } ?? ""
      let acts = example.injected.map(\.description).joined(separator: "+")
      return "\(example.finding.rule)\(path): \(acts)"
    }
  }
}
