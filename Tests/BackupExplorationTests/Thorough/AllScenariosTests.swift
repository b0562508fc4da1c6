import BackupContainer
import BackupFileTree
import BackupJSON5
import BackupRules
import TestSupport
import Testing
import TrialSupport

@testable import BackupExploration
@testable import BackupExplorationReports
@testable import BackupScenarios
@testable import BackupVerdicts

@Suite struct `Exploring all scenarios` {
  @Test(arguments: [1, 2])
  func `finds the same with and without states that are followed once`(depth: Int) async throws {
    let scenarios = try ExplorationTrial.scenarios()
    for scenario in Thoroughness.every(depth == 1 ? 24 : 80, of: scenarios) {
      var settings = Scenario.ExplorationBounds()
      settings.depth = depth
      settings.budget = 100_000
      let merged = await ExploredScenario(scenario, settings)
      settings.mergesStates = false
      let plain = await ExploredScenario(scenario, settings)
      #expect(merged.keys == plain.keys, "\(scenario.id)")
      #expect(merged.counts.isComplete && plain.counts.isComplete, "\(scenario.id)")
    }
  }

  /// A part of them: the released tool explores all.
  @Test func `accuses none that does not say so`() async throws {
    let settings = Scenario.ExplorationBounds()
    for scenario in Thoroughness.every(6, of: try ExplorationTrial.scenarios()) {
      let result = await ExploredScenario(scenario, settings)
      #expect(result.obstacle == nil && result.counts.isComplete, "\(scenario.id)")
      #expect(result.counterexamples.map(\.token) == [], "\(scenario.id)")
    }
  }
}

extension ExploredScenario {
  /// What is found, in any order.
  fileprivate var keys: Set<String> {
    Set(counterexamples.map { "\($0.finding.rule) \($0.finding.path.map { "\($0)" } ?? "")" })
  }
}
