package import BackupJSON5

extension Scenario.Step {
  /// The step that a value of a scenario file says, in the place of another.
  package init?(_ value: LocatedValue, as reference: Scenario.StepReference) {
    let reader = ValueReader(value: value, collector: MistakeCollector())
    guard let step = StepKind.read(reader, reference.number) else { return nil }
    self.init(
      reference: reference, expectedFailure: step.expectedFailure, systems: step.systems,
      action: step.action)
    self = standing(for: reference)
  }

  /// The same step in the place of another.
  package func standing(for reference: Scenario.StepReference) -> Scenario.Step {
    Scenario.Step(
      reference: Scenario.StepReference(
        number: reference.number, position: reference.position, summary: action.summary),
      expectedFailure: expectedFailure, systems: systems, killed: killed, mayThrow: mayThrow,
      action: action)
  }

  /// The same step as another one of a list.
  package func numbered(_ number: Int) -> Scenario.Step {
    standing(
      for: Scenario.StepReference(
        number: .step(number), position: reference.position, summary: reference.summary))
  }
}
