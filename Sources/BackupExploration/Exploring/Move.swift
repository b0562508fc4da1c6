import BackupScenarios

/// How a history goes on.
enum Move: Sendable {
  /// The next part of the story, and the backup that is to show what it leaves.
  case part
  /// The end of the story.
  case end
  /// A backup that is taken to look at.
  case backup
  /// Something that the system does at rest, with the version that an update brings.
  case act(Scenario.ExploredAct, version: String)
  /// The app is killed within the next part.
  case kill(Kill)

  /// A point within a part at which the app is killed.
  struct Kill: Sendable {
    /// The index of the step in the story.
    let step: Int
    /// The number of the change within the step, from 1.
    let change: Int
    /// The change before which the app is killed.
    let point: Scenario.KillPoint
  }
}

extension Move {
  /// By what it is known among those from a state; nil for a kill.
  ///
  /// - Parameter isOrdinary: See ``Telling/isOrdinary``.
  /// - Returns: The link.
  func link(isOrdinary: Bool) -> StoryGraph.Link? {
    switch self {
    case .part: .part(isOrdinary: isOrdinary)
    case .end: .end(isOrdinary: isOrdinary)
    case .backup: .backup
    case .act(let act, _): .act(act)
    case .kill: nil
    }
  }
}
