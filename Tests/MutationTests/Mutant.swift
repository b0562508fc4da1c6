import Testing
import TrialSupport

@testable import BackupScenarios
@testable import BackupVerdicts

/// A kit that decides one thing wrongly: a name for the decision, and the change that spoils it.
struct Mutant: Sendable, CustomTestStringConvertible {
  /// A kit that a mutant may spoil.
  struct Kit: Sendable {
    /// The suite, with its device and its rules.
    var suite: ScenarioSuite
    /// What becomes of a scenario before it is run.
    var prepare: @Sendable (Scenario) -> Scenario = { $0 }
  }

  /// What of a kit is made wrong.
  enum Part: Hashable, Sendable {
    /// A function of ``Simulators``, by its property's name.
    case function(String)
    /// A rule, by its name.
    case rule(String)
    /// A kind of step, by its keyword.
    case step(String)
    /// What the app's container holds at first.
    case layout
    /// How the rules stand together, or nothing.
    case whole
  }

  /// What is wrong, in a few words.
  let name: String
  let part: Part
  /// The scenario folders or ids to try first; all others come after them.
  let near: [String]
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

  /// The name of its test case.
  var testDescription: String { name }
}

extension Mutant {
  /// The first scenario that fails with this mutant, the likeliest tried first.
  ///
  /// - Returns: Its id, or nil where none does.
  /// - Throws: What reading the scenarios throws.
  func firstCatcher() async throws -> String? {
    let kit = spoiltKit
    for scenario in inOrder(try OwnSuite.scenarios) {
      let result = await kit.suite.run(kit.prepare(scenario))
      if let result, result.verdict != .passed { return scenario.id }
    }
    return nil
  }

  /// Every scenario that fails with this mutant.
  ///
  /// - Returns: Their ids.
  /// - Throws: What reading the scenarios throws.
  func allCatchers() async throws -> [String] {
    let kit = spoiltKit
    return await kit.suite.run(try OwnSuite.scenarios.map(kit.prepare))
      .filter { $0.verdict != .passed }.map(\.scenario.id)
  }

  /// A kit that this mutant has spoilt.
  private var spoiltKit: Kit {
    var kit = Kit(suite: OwnSuite.suite)
    kit.suite.runner.isOnDisk = true
    spoil(&kit)
    return kit
  }

  /// The scenarios, those that most likely catch it first.
  private func inOrder(_ scenarios: [Scenario]) -> [Scenario] {
    let ranks = scenarios.map { scenario in
      near.firstIndex { scenario.id.hasPrefix($0) } ?? near.count
    }
    return scenarios.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }.map { scenarios[$0] }
  }
}
