import BackupFileTree

extension ScenarioRun {
  /// Whether changes to the file system are looked at one by one.
  var isWatchingChanges: Bool { kill != nil || changeLog != nil }

  /// Does the first of an operation's changes where the app is killed before another of them.
  ///
  /// - Throws: ``StepFailure/killed``, or the failure of such a change.
  mutating func meetKill(in pieces: [FileOperation.Piece]) throws(StepFailure) {
    for (index, piece) in pieces.enumerated() {
      _ = changeLog?.note(piece.kind, piece.path)
      guard kill?.comes(before: piece) == true else { continue }
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
    guard !type(of: step.action).runsCode else {
      return try await killCode(of: step, before: point)
    }
    let whole = await outcome(of: step)
    kill = ComingKill(before: point)
    defer { kill = nil }
    do throws(StepFailure) {
      try await prepare(step.action)
      try await perform(step.action)
    } catch {
      guard error.isKill else { throw error }
      endApp()
      return record(
        .killed(Transcript.Event.Kill(point: point, whole: whole)))
    }
    throw (kill ?? ComingKill(before: point)).neverCame
  }

  /// The container as a step would leave it that nobody interrupts; nil where it fails.
  private func outcome(of step: Scenario.Step) async -> FileTree? {
    var trial = self
    trial.disk = ModelDisk(over: disk)
    trial.isDiskUncertain = false
    // What came before is not looked at, and need not be copied.
    trial.transcript.forgetEntries()
    var step = step
    step.killed = nil
    do throws(StepFailure) {
      try await trial.run(step)
    } catch {
      return nil
    }
    return trial.tree
  }
}
