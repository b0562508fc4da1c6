import BackupScenarios

enum Transition: Hashable, Sendable {
  /// A step of the plan, by its index.
  case step(Int)
  /// The same step, in which the app is killed.
  case killed(Int, Scenario.KillPoint)
  /// A system event that exploration adds; the version is that of an updated app or system.
  case event(Scenario.Disturbance, version: String)
  /// A backup that shows what an interrupted block or the end leaves.
  case backup

  /// The label of the backups that exploration takes.
  static let label = "explored"

  /// Whether it restores a backup that it takes itself.
  var restoresOwnBackup: Bool {
    if case .event(.newDevice, version: _) = self { true } else { false }
  }

  /// The steps that exploration adds, in the place of one of the plan's.
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
