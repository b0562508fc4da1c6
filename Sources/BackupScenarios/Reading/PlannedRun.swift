import BackupDevice

/// What a scenario's file alone says of one of its runs: which steps are done, under which system.
struct PlannedRun {
  /// A step, when its turn comes.
  struct Turn {
    let step: Scenario.Step
    /// The system that the device has then; nil where the file does not say it rightly.
    let system: SystemVersion?

    /// Whether the step is done; where nothing is known of the system it is.
    var isDone: Bool { system.map(step.isDone) ?? true }
  }

  /// The system that the device has at first; nil where the file does not say it rightly.
  let system: SystemVersion?
  /// The steps, in order, those that are passed over too.
  let turns: [Turn]

  /// The steps that are done, in order.
  var done: [Turn] { turns.filter(\.isDone) }

  /// Plans a run that begins under a system.
  init(of steps: [Scenario.Step], under system: SystemVersion?) {
    var current = system
    self.system = system
    self.turns = steps.map { step in
      let turn = Turn(step: step, system: current)
      if turn.isDone, let later = step.action.laterSystem?.version {
        current = current.map { max($0, later) }
      }
      return turn
    }
  }

  /// The runs of some steps under each of the systems, each once; one run under a system that is
  /// not known where there are none.
  static func all(of steps: [Scenario.Step], under systems: [SystemVersion]) -> [PlannedRun] {
    guard !systems.isEmpty else { return [PlannedRun(of: steps, under: nil)] }
    var known: Set<SystemVersion> = []
    return systems.filter { known.insert($0).inserted }.map { PlannedRun(of: steps, under: $0) }
  }
}
