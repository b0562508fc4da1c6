import BackupContainer
import BackupFileTree

extension ScenarioRun {
  /// Kills the app within a step of its own code: what the whole step changes is recorded, and what
  /// came before the kill is done again.
  ///
  /// - Throws: ``StepFailure`` if the kit cannot see what the code changes, or if the code never
  ///   reaches the kill.
  mutating func killCode(
    of step: Scenario.Step, before point: Scenario.KillPoint
  ) async throws(StepFailure) {
    guard isRecording else { throw Self.cannotRecord }
    var recording = plannedRecording
    plannedRecording = nil
    var failure: StepFailure?
    if recording == nil { (recording, failure) = try await rehearse(step) }
    guard let recording, let place = recording.place(of: point) else {
      throw failure ?? StepFailure.neverCame(point, recording?.points.map(\.point) ?? [])
    }
    guard recording.isWhole else { throw Self.cannotFollow }
    if step.isStart || step.action.startsApp && !state.app.isRunning { countLaunch() }
    state.app.hasRunInContainer = true
    let container = try directory()
    (isBeingKilled, isStarting) = (true, step.isStart)
    defer { (isBeingKilled, isStarting) = (false, false) }
    try await watch(probing: false) { try container.replay(recording.changes[..<place]) }
    endApp()
    record(
      .killed(
        Transcript.Event.Kill(
          point: point, whole: recording.after, activity: recording.after,
          steps: activitySteps(of: step))))
  }

  /// The number of a step of code, with that of the one behind it that does the same again.
  private func activitySteps(of step: Scenario.Step) -> ClosedRange<Int> {
    guard case .step(let number) = step.reference.number else { return 0...0 }
    let next = scenario.steps(after: step).first
    return number...(next?.reference.summary == step.reference.summary ? number + 1 : number)
  }

  /// Does a step to its end, to see what it changes, and sets the container back.
  private func rehearse(
    _ step: Scenario.Step
  ) async throws(StepFailure) -> (Recording?, StepFailure?) {
    let saved = try onDisk(try disk.saved())
    var trial = self
    var step = step
    step.killed = nil
    var failure: StepFailure?
    do throws(StepFailure) {
      try await trial.run(step)
    } catch {
      failure = error
    }
    trial.endApp()
    try onDisk(try saved.goBack())
    return (trial.latestRecording, failure)
  }

  /// Does something that may run code of the app's, and keeps what that changes.
  mutating func recording(
    _ work: (inout ScenarioRun) async throws(StepFailure) -> Void
  ) async throws(StepFailure) {
    guard isRecording else { return try await work(&self) }
    latestRecording = nil
    let container = try directory()
    _ = try onDisk(try container.takeRecordedChanges())
    do throws(StepFailure) {
      try await work(&self)
    } catch {
      // Notes that a process has not ended in order may be cut short.
      latestRecording = (try? container.takeRecordedChanges()).map(recording(of:))
      throw error
    }
    latestRecording = recording(of: try onDisk(try container.takeRecordedChanges()))
  }

  /// What was recorded, as a look finds it.
  private func recording(of changes: [RecordedChange]) -> Recording {
    Recording(
      changes.map { $0.moved { app?.systemPath(of: $0) ?? $0 } }, after: tree)
  }

  /// Goes on without the app's processes, which another run has.
  mutating func leaveApp() {
    app = nil
    extensions.leave()
  }

  /// Why nothing is killed within code of the app's own.
  private static let cannotRecord = StepFailure(
    "the step was not run, because the kit cannot kill the app in the middle of the app's own "
      + "code here. It can on Linux, if the app runs in its own process and the test target "
      + "depends on FileSystemTap: see Exploring", canBeExpected: false)

  /// Why nothing is killed within code whose changes are not all seen.
  private static let cannotFollow = StepFailure(
    "the step was not run, because the kit does not see all changes of the app's code: it writes "
      + "to a mapped file, or moves a file in from outside the container. Use other calls, or "
      + "remove 'killed'", canBeExpected: false)
}
