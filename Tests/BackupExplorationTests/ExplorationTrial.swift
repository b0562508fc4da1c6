import BackupRules
import BackupScenarios
import BackupVerdicts
import Testing
import TrialSupport

@testable import BackupExploration

/// Explores scenarios whose steps are written in a test.
enum ExplorationTrial {
  /// Explores a scenario of these steps, with other keys such as `files`.
  ///
  /// The scenario's text has a line for each step, from line 2 on.
  static func explored(
    _ steps: [String], _ otherKeys: String = "",
    _ changeBounds: (inout Scenario.ExplorationBounds) -> Void = { _ in }
  ) async throws -> ExploredScenario {
    var bounds = Scenario.ExplorationBounds()
    changeBounds(&bounds)
    return await ExploredScenario(try Trial.scenario(steps, otherKeys), bounds)
  }

  /// Explores a scenario, and returns its findings as text, for example
  /// `user-data-lost Documents/a: 2.kill(2~write)`.
  static func found(
    _ steps: [String], _ otherKeys: String = "",
    _ changeBounds: (inout Scenario.ExplorationBounds) -> Void = { _ in }
  ) async throws -> [String] {
    let result = try await explored(steps, otherKeys, changeBounds)
    return result.counterexamples.map { example in
      let path = example.finding.path.map { " \($0)" } ?? ""
      let events = example.injectedEvents.map(\.description).joined(separator: "+")
      return "\(example.finding.rule)\(path): \(events)"
    }
  }
}
