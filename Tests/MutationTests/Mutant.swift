import Testing
import TrialSupport

@testable import BackupScenarios
@testable import BackupVerdicts

/// A mutant of the kit, which makes one wrong decision.
struct Mutant: Sendable, CustomTestStringConvertible {
  /// The parts of the kit that a mutant can change.
  struct Kit: Sendable {
    /// The suite, with the simulators and the rules.
    var suite: ScenarioSuite
    /// Changes each scenario before its run.
    var prepare: @Sendable (Scenario) -> Scenario = { $0 }
  }

  /// The part of the kit that is wrong.
  enum Part: Hashable, Sendable {
    /// A function of ``Simulators``, by its property's name.
    case function(String)
    /// A rule, by its name.
    case rule(String)
    /// A kind of step, by its keyword.
    case step(String)
    /// The contents of the app's container after its installation.
    case layout
    /// Several parts together, or none.
    case whole
  }

  /// The wrong decision in a few words.
  let name: String
  let part: Part
  /// The folders or ids of the scenarios that probably catch the mutant. They run first.
  let near: [String]
  /// Makes the kit wrong.
  let spoil: @Sendable (inout Kit) -> Void

  init(
    _ name: String, of part: Part, near: [String],
    _ spoil: @escaping @Sendable (inout Kit) -> Void
  ) {
    self.name = name
    self.part = part
    self.near = near
    self.spoil = spoil
  }

  var testDescription: String { name }
}

extension Mutant {
  /// Runs scenarios until one fails with this mutant.
  ///
  /// - Returns: The id of this scenario; nil if all scenarios pass.
  /// - Throws: An error if the scenarios cannot be read.
  func firstCatcher() async throws -> String? {
    let kit = spoiltKit
    for scenario in sortedByLikelihood(try OwnSuite.scenarios) {
      let result = await kit.suite.run(kit.prepare(scenario))
      if let result, result.verdict != .passed { return scenario.id }
    }
    return nil
  }

  /// Runs all scenarios with this mutant.
  ///
  /// - Returns: The ids of the scenarios that fail.
  /// - Throws: An error if the scenarios cannot be read.
  func allCatchers() async throws -> [String] {
    let kit = spoiltKit
    return await kit.suite.run(try OwnSuite.scenarios.map(kit.prepare))
      .filter { $0.verdict != .passed }.map(\.scenario.id)
  }

  private var spoiltKit: Kit {
    var kit = Kit(suite: OwnSuite.suite)
    kit.suite.runner.alwaysUsesDirectory = true
    spoil(&kit)
    return kit
  }

  /// Returns the scenarios, starting with those in ``near``.
  private func sortedByLikelihood(_ scenarios: [Scenario]) -> [Scenario] {
    let ranks = scenarios.map { scenario in
      near.firstIndex { scenario.id.hasPrefix($0) } ?? near.count
    }
    return scenarios.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }.map { scenarios[$0] }
  }
}
