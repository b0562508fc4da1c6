import BackupFileTree
import BackupJSON5
import BackupScenarios

/// Something that happens in an explored story.
enum StoryElement: Hashable, Sendable {
  /// A step of the scenario, by its index.
  case step(Int)
  /// A step of the scenario in which the app is killed.
  case killed(Int, Scenario.KillPoint)
  /// Something that the system does beside the story.
  case act(Scenario.ExploredAct, version: String)
  /// A backup that is taken to look at.
  case backup

  /// The label of the backups that exploration takes.
  static let label = "explored"

  /// Whether it is code of the app's own.
  func runsCode(in story: Story) -> Bool {
    switch self {
    case .step(let index), .killed(let index, _): story.steps[index].runsCode
    case .act, .backup: false
    }
  }

  /// Whether it restores the backup that it takes.
  var restoresOwnBackup: Bool {
    if case .act(.newDevice, version: _) = self { true } else { false }
  }

  /// What a scenario file says of it, in steps.
  ///
  /// - Parameter written: The steps as the scenario's file has them, by index.
  /// - Returns: The steps.
  func values(_ written: [LocatedValue]) -> [LocatedValue] {
    switch self {
    case .step(let index): [written[index]]
    case .killed(let index, let point):
      // Where the app is killed, the step comes to no end, and to no failure either.
      [written[index].removing("throws").setting("killed", to: point.value)]
    case .act(let act, version: let version): act.values(version)
    case .backup: [.object([("backup", .string(Self.label))])]
    }
  }
}

extension Scenario.ExploredAct {
  /// The steps that are this act.
  ///
  /// - Parameter version: The version of the app, or of the system, that an update brings.
  /// - Returns: The steps; none for a kill, which is within a step.
  func values(_ version: String) -> [LocatedValue] {
    switch self {
    case .kill: []
    case .relaunch: [.object([("relaunch", .object([]))])]
    case .idle, .lowStorage, .criticalStorage: [.object([("purge", .string(rawValue))])]
    case .updateApp: [.object([("updateApp", .string(version))])]
    case .updateSystem: [.object([("updateSystem", .string(version))])]
    case .newDevice:
      [
        .object([("backup", .string(StoryElement.label))]),
        .object([("restore", .string(StoryElement.label))]),
      ]
    }
  }
}

extension Scenario.KillPoint {
  /// What a scenario file says of it.
  fileprivate var value: LocatedValue {
    var members = [("before", LocatedValue.string(kind.rawValue))]
    if let path { members.append(("path", .string("\(path)"))) }
    if occurrence > 1 { members.append(("occurrence", .number(occurrence))) }
    return .object(members)
  }
}
