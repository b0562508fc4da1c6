@testable import BackupScenarios
@testable import BackupVerdicts

extension Mutant {
  /// A runner that performs one kind of step wrongly.
  static func step(
    _ name: String, _ keyword: StepKeyword, near: [String],
    _ perform: @escaping @Sendable (StepAction, inout ScenarioRun) async throws(StepFailure) -> Void
  ) -> Mutant {
    let part = keyword.traits.actor == .app ? Part.whole : .step(keyword.rawValue)
    return Mutant(name, of: part, near: near) { kit in
      kit.suite.runner.simulators.perform = { action, run throws(StepFailure) in
        guard action.keyword == keyword else { return try await run.carryOut(action) }
        try await perform(action, &run)
      }
    }
  }

  /// A runner that performs the steps of extensions wrongly.
  static func extensionStep(
    _ name: String,
    _ perform: @escaping @Sendable (StepAction, inout ScenarioRun) async throws(StepFailure) -> Void
  ) -> Mutant {
    Mutant(name, of: .whole, near: ["containers/widget-", "saving/widget-"]) { kit in
      kit.suite.runner.simulators.perform = { action, run throws(StepFailure) in
        guard run.currentExtension != nil else { return try await run.carryOut(action) }
        try await perform(action, &run)
      }
    }
  }

  /// A kit whose container is wrong after the app's installation.
  ///
  /// The mutant adds a first step to each scenario, in which it changes the container.
  static func layout(
    _ name: String, _ change: @escaping @Sendable (inout ScenarioRun) throws(StepFailure) -> Void
  ) -> Mutant {
    Mutant(name, of: .layout, near: ["layout/"]) { kit in
      let preparation = StepAction.check(
        .files(ExpectedPatterns(expectedPatterns: [], unexpectedPatterns: [])))
      kit.prepare = { scenario in
        guard let first = scenario.steps.first else { return scenario }
        return scenario.replacing(
          launch: scenario.launch,
          steps: [Scenario.Step(preparation, inPlaceOf: first.reference)] + scenario.steps,
          files: scenario.files)
      }
      kit.suite.runner.simulators.perform = { action, run throws(StepFailure) in
        guard action == preparation else { return try await run.carryOut(action) }
        try change(&run)
      }
    }
  }
}
