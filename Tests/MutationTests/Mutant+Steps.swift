@testable import BackupScenarios

extension Mutant {
  /// A runner that does a kind of step of the system's otherwise.
  static func step(
    _ name: String, _ kind: StepKind, near: [String],
    _ perform: @escaping @Sendable (StepAction, inout ScenarioRun) async throws(StepFailure) -> Void
  ) -> Mutant {
    Mutant(name, of: .step(kind.keyword), near: near) { kit in
      kit.prepare = { scenario in
        scenario.withSteps(
          scenario.steps.map { step in
            let action = step.action
            guard action.keyword == kind.keyword else { return step }
            return step.doing(
              StepAction(summary: action.summary, of: action.object) {
                run throws(StepFailure) in
                try await perform(action, &run)
              })
          })
      }
    }
  }

  /// A container that is laid out otherwise when the app is installed.
  static func layout(
    _ name: String, _ change: @escaping @Sendable (inout ScenarioRun) throws(StepFailure) -> Void
  ) -> Mutant {
    Mutant(name, of: .layout, near: ["layout/"]) { kit in
      kit.prepare = { scenario in
        guard let first = scenario.steps.first else { return scenario }
        let preparation = Scenario.Step(
          reference: first.reference, source: first.source, expectedFailure: nil, systems: nil,
          action: StepAction(summary: "lay out") { run throws(StepFailure) in try change(&run) })
        return scenario.withSteps([preparation] + scenario.steps)
      }
    }
  }
}

extension Scenario.Step {
  /// The same step with another action.
  func doing(_ action: StepAction) -> Scenario.Step {
    Scenario.Step(
      reference: reference, source: source, expectedFailure: expectedFailure, systems: systems,
      action: action)
  }
}

extension Scenario {
  /// The same scenario with other steps.
  func withSteps(_ steps: [Step]) -> Scenario {
    Scenario(
      id: id, file: file, title: title, requirements: requirements, app: app, systems: systems,
      newestSystem: newestSystem,
      backups: backups, guidance: guidance, files: files, golden: golden, budget: budget,
      storage: storage, launch: launch,
      steps: steps, expectations: expectations)
  }
}
