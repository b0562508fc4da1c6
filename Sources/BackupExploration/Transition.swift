import BackupScenarios

enum Transition: Hashable, Sendable {
  /// A step of the plan, by its index.
  case step(Int)
  /// A step of the plan that is interrupted at a point.
  case killed(Int, Scenario.KillPoint)
  /// A system event that exploration adds; the version is that of an updated app or system.
  case event(Scenario.Disturbance, version: String)
  /// A backup that shows what an interrupted block or the end leaves.
  case backup

  /// The label of the backups that exploration takes.
  static let label = "explored"

  /// True if the transition restores a backup that it makes itself.
  var restoresOwnBackup: Bool {
    if case .event(.newDevice, version: _) = self { true } else { false }
  }

  /// Returns the steps that exploration adds, with the reference of a step of the plan.
  func addedSteps(as reference: Scenario.StepReference) -> [Scenario.Step] {
    let actions: [StepAction] =
      switch self {
      case .step, .killed: []
      case .event(let event, version: let version):
        event.actions(version: version, label: Self.label)
      case .backup: [.system(.backup(Self.label))]
      }
    return actions.map { Scenario.Step($0, inPlaceOf: reference) }
  }
}
