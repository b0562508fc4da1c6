import BackupFileTree
package import BackupScenarios

/// Something that the system does beside the story, and where.
package struct PlacedAct: Hashable, Sendable {
  /// What it does, and at which point of a step.
  package enum Point: Hashable, Sendable {
    /// Before the step; an act other than a kill.
    case before(Scenario.ExploredAct)
    /// Within the step, before one of its changes, counted from 1.
    case within(change: Int, Scenario.KillPoint, then: Aftermath)
  }

  /// What comes after a kill. The word is that of a token.
  package enum Aftermath: String, CaseIterable, Hashable, Sendable {
    /// A backup at once is the end.
    case nothing = "end"
    /// The app starts, and a backup is the end.
    case started = "start"
    /// The activity is done again, and the story goes on.
    case doneAgain = "kill"
  }

  /// The number of the step in the scenario; one more than the last for its end.
  package let step: Int
  /// What it does there.
  package let point: Point
}

extension PlacedAct: CustomStringConvertible {
  /// In short: `3.lowStorage`, `2.kill(5~mark)`, `2.end(5~mark)` for a kill after which the
  /// activity is not done again, `2.start(5~mark)` for one after which the app only starts.
  package var description: String {
    switch point {
    case .before(let act): "\(step).\(act.rawValue)"
    case .within(let change, let point, then: let aftermath):
      "\(step).\(aftermath.rawValue)(\(change)~\(point.kind.rawValue))"
    }
  }
}
