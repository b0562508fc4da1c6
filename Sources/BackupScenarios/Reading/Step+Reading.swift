package import BackupJSON5

extension Scenario.Step {
  /// The step that a value of a scenario file says, in the place of another.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - reference: What stands for it in findings.
  package init?(_ value: LocatedValue, as reference: Scenario.StepReference) {
    let reader = ValueReader(value: value, collector: MistakeCollector())
    guard let step = StepDecoder.read(reader, reference.number) else { return nil }
    self.init(
      reference: Scenario.StepReference(
        number: reference.number, position: reference.position, summary: step.action.summary),
      expectedFailure: step.expectedFailure, systems: step.systems, action: step.action)
  }
}
