extension Scenario {
  /// The steps that take a backup, in their order.
  package var backupSteps: [StepReference] {
    steps.filter { $0.action.backupLabel != nil }.map(\.reference)
  }
}
