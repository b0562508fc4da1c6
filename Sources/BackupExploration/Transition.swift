import BackupScenarios

/// One move of a trace: a step of the plan, or steps that exploration adds.
enum Transition: Hashable, Sendable {
  /// A step of the plan, by its index.
  case step(Int)
  /// A step of the plan, by its index, that a kill or full storage interrupts.
  case killed(Int, Scenario.InterruptionPoint)
  /// An injected system event. For an update, `version` is the new version of the app or of iOS,
  /// and otherwise empty.
  case event(Scenario.InjectableEvent, version: String)
  /// A backup after an interrupted block or at the end, so that rules judge the container there.
  case backup

  /// The label of the backups that exploration takes.
  static let backupLabel = "explored"

  /// True if the transition takes a backup and restores it.
  var restoresOwnBackup: Bool {
    if case .event(.newDevice, version: _) = self { true } else { false }
  }

  /// Returns the steps that exploration adds. They have the number and the position of a step of
  /// the plan, `reference`.
  func addedSteps(inPlaceOf reference: Scenario.StepReference) -> [Scenario.Step] {
    let actions: [StepAction] =
      switch self {
      case .step, .killed: []
      case .event(let event, version: let version):
        event.stepActions(version: version, label: Self.backupLabel)
      case .backup: [.system(.backup(Self.backupLabel))]
      }
    return actions.map { Scenario.Step($0, inPlaceOf: reference) }
  }
}
