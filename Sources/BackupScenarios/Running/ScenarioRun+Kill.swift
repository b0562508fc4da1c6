import BackupFileTree

extension ScenarioRun {
  /// Whether changes to the file system are looked at one by one.
  var isWatchingChanges: Bool { changeLog != nil }

  /// Does the first of an operation's changes where the app is killed before another of them.
  ///
  /// - Throws: ``StepFailure/killed``, or the failure of such a change.
  mutating func meetKill(in pieces: [FileOperation.Piece]) throws(StepFailure) {
    for (index, piece) in pieces.enumerated() {
      let names = changeLog?.note(piece.kind, piece.path) ?? []
      guard let kill, names.contains(kill) else { continue }
      isBeingKilled = true
      defer { isBeingKilled = false }
      for done in pieces[..<index] { try carryOut(done.operation) }
      throw .killed
    }
  }

  /// Runs a step in which the app is killed.
  ///
  /// - Throws: ``StepFailure`` where the step fails before that, or never comes there.
  mutating func run(
    _ step: Scenario.Step, killedBefore point: Scenario.KillPoint
  ) async throws(StepFailure) {
    guard !step.runsCode, !step.isStart || !startRunsCode else {
      return try await killCode(of: step, before: point)
    }
    let whole = await outcome(of: [step])
    let activity = await activity(of: step)
    let isLogged = changeLog != nil
    (kill, changeLog) = (point, ChangeLog())
    defer {
      (kill, plannedActivity) = (nil, nil)
      if !isLogged { changeLog = nil }
    }
    do throws(StepFailure) {
      try await prepare(step.action)
      try await perform(step.action)
    } catch {
      guard error.isKill else { throw error }
      endApp()
      return record(
        .killed(
          Transcript.Event.Kill(
            point: point, whole: whole, activity: activity.after, steps: activity.steps)))
    }
    throw .neverCame(point, changeLog?.points ?? [])
  }

  /// The activity that the app is killed in: the steps of the app's around this one, with those behind that
  /// do the same again; and the container as the rest of it would leave it, nil if this step fails.
  private func activity(
    of step: Scenario.Step
  ) async -> (steps: ClosedRange<Int>, after: FileTree?) {
    guard case .step(let number) = step.reference.number else { return (0...0, nil) }
    if let plannedActivity, plannedActivity.steps.contains(number) { return plannedActivity }
    func belongs(_ other: Scenario.Step) -> Bool {
      other.isAssertion || other.isOfApp && !other.runsCode && other.killed == nil
    }
    let former = scenario.steps(before: step).reversed().prefix(while: belongs)
    let next = scenario.steps(after: step).prefix(while: belongs)
    // If it is done again, its rest comes after the step's repetition.
    let repetition = next.firstIndex { $0.reference.summary == step.reference.summary }
    let rest = repetition.map { next[($0 + 1)...] } ?? next
    return (
      number - former.count...number + next.count,
      await outcome(of: [step] + rest.filter(\.isOfApp))
    )
  }

  /// The container as uninterrupted steps would leave it; nil if the first fails. A later step that
  /// fails is passed over, since a file may say the same steps again.
  func outcome(of steps: [Scenario.Step]) async -> FileTree? {
    var trial = self
    trial.disk = ModelDisk(over: disk)
    trial.isDiskUncertain = false
    // What came before is not looked at, and need not be copied.
    trial.transcript.forgetEntries()
    for (index, step) in steps.enumerated() {
      var step = step
      step.killed = nil
      do throws(StepFailure) {
        try await trial.run(step)
      } catch {
        if index == 0 { return nil }
      }
    }
    return trial.tree
  }
}

extension Scenario {
  /// The steps in front of one of them.
  fileprivate func steps(before step: Step) -> ArraySlice<Step> {
    steps.prefix { $0.reference.number != step.reference.number }
  }

  /// The steps behind one of them.
  func steps(after step: Step) -> ArraySlice<Step> {
    steps.drop { $0.reference.number != step.reference.number }.dropFirst()
  }
}
