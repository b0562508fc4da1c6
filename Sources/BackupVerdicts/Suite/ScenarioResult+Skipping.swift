import BackupDiagnostics
package import BackupScenarios

extension ScenarioResult {
  /// What is said of a scenario that was not run because of a step; its golden file is not read.
  init(skipping scenario: Scenario, at step: Scenario.StepReference, isStrict: Bool) {
    self.init(
      scenario: scenario, runs: [], golden: .notCompared, expectedGolden: nil, isStrict: isStrict,
      skippedStep: step)
  }

  /// That the scenario was not run.
  var skipping: [Scenario.Problem] {
    guard let step = skippedStep else { return [] }
    return [
      Scenario.Problem(
        kind: .skipped, severity: .advice, isFailure: isStrict, position: step.position,
        message: "skipped: \(step.whyNotRun)", details: [], variants: nil)
    ]
  }
}

extension Scenario.StepReference {
  /// Why the command line does not run a scenario with this step, which performs an action.
  package var whyNotRun: String {
    "\(self) (\(summary)) is code of the app, which the command line does not run; bind the action "
      + "in a test, and run that"
  }
}
