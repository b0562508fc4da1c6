@testable import BackupScenarios

extension Mutant {
  /// A runner that does a kind of step of the system's otherwise.
  static func step<Action: StepAction>(
    _ name: String, _ kind: Action.Type, near: [String],
    _ perform: @escaping @Sendable (Action, inout ScenarioRun) async throws(StepFailure) -> Void
  ) -> Mutant {
    Mutant(name, of: .step(kind.keyword), near: near) { kit in
      kit.prepare = { scenario in
        scenario.withSteps(
          scenario.steps.map { step in
            guard let action = step.action as? Action else { return step }
            return step.doing(
              OtherSystemStep(action.summary, of: action.neededLabel) { run throws(StepFailure) in
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
          reference: first.reference, expectedFailure: nil, systems: nil,
          action: OtherSystemStep("lay out") { run throws(StepFailure) in try change(&run) })
        return scenario.withSteps([preparation] + scenario.steps)
      }
    }
  }
}

/// A step of the system's that does something else.
struct OtherSystemStep: StepAction {
  static let declaration = StepDeclaration(
    Field("other", .string("anything"), default: .required, "What is done instead."), by: .system,
    "Something else happens.", examples: [])

  let summary: String
  let neededLabel: String?
  /// What it does instead.
  private let action: @Sendable (inout ScenarioRun) async throws(StepFailure) -> Void

  /// A step that does an action, for which it may need the files of a backup.
  init(
    _ summary: String, of neededLabel: String? = nil,
    _ action: @escaping @Sendable (inout ScenarioRun) async throws(StepFailure) -> Void
  ) {
    self.summary = summary
    self.neededLabel = neededLabel
    self.action = action
  }

  init?(reading step: ObjectReader) { nil }

  func perform(in run: inout ScenarioRun) async throws(StepFailure) {
    try await action(&run)
  }
}

extension Scenario.Step {
  /// The same step with another action.
  func doing(_ action: any StepAction) -> Scenario.Step {
    Scenario.Step(
      reference: reference, expectedFailure: expectedFailure, systems: systems, action: action)
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
