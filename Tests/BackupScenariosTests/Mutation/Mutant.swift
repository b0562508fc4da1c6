import DeviceSimulation
import Testing

@testable import BackupScenarios

/// A kit that decides one thing wrongly: a name for the decision, and the change that spoils it.
struct Mutant: Sendable, CustomTestStringConvertible {
  /// A kit that a mutant may spoil.
  struct Kit: Sendable {
    /// The suite, with its device and its rules.
    var suite: ScenarioSuite
    /// What becomes of a scenario before it is run.
    var prepare: @Sendable (Scenario) -> Scenario = { $0 }
  }

  /// What is wrong, in a few words.
  let name: String
  /// The scenario folders or ids to try first; all others come after them.
  let near: [String]
  /// Spoils a kit.
  let spoil: @Sendable (inout Kit) -> Void

  /// A mutant.
  init(_ name: String, near: [String], _ spoil: @escaping @Sendable (inout Kit) -> Void) {
    self.name = name
    self.near = near
    self.spoil = spoil
  }

  /// The name of its test case.
  var testDescription: String { name }
}

extension Mutant {
  /// The scenarios that fail with this mutant.
  ///
  /// - Parameter isExhaustive: Whether all are looked for, or the first is enough.
  /// - Returns: Their ids.
  /// - Throws: What reading the scenarios throws.
  func catchers(isExhaustive: Bool = false) async throws -> [String] {
    var kit = Kit(suite: Repository.suite)
    spoil(&kit)
    var found: [String] = []
    for scenario in inOrder(try Repository.scenarios) {
      let result = await kit.suite.run(kit.prepare(scenario))
      guard let result, result.verdict != .passed else { continue }
      found.append(scenario.id)
      if !isExhaustive { break }
    }
    return found
  }

  /// The scenarios, those that most likely catch it first.
  private func inOrder(_ scenarios: [Scenario]) -> [Scenario] {
    let ranks = scenarios.map { scenario in
      near.firstIndex { scenario.id.hasPrefix($0) } ?? near.count
    }
    return scenarios.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }.map { scenarios[$0] }
  }
}
