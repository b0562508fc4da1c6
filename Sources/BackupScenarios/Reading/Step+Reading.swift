package import BackupJSON5

extension Scenario.Step {
  /// The step that a value of a scenario file says, in the place of another.
  package init?(_ value: LocatedValue, as reference: Scenario.StepReference) {
    let reader = ValueReader(value: value, collector: MistakeCollector())
    guard let step = StepKind.read(reader, reference.number) else { return nil }
    self = step.standing(for: reference)
  }

  /// The same step in the place of another.
  package func standing(for reference: Scenario.StepReference) -> Scenario.Step {
    var step = self
    step.reference = Scenario.StepReference(
      number: reference.number, position: reference.position, summary: action.summary)
    return step
  }

  /// The same step as another one of a list.
  package func numbered(_ number: Int) -> Scenario.Step {
    standing(
      for: Scenario.StepReference(
        number: .step(number), position: reference.position, summary: reference.summary))
  }
}
