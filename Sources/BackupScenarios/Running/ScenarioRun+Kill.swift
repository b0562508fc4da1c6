import BackupContainer
import BackupDiagnostics
import BackupFileTree

extension ScenarioRun {
  /// Performs the changes of an operation before the planned kill, and throws
  /// ``StepFailure/killed``. Performs nothing if no kill is planned in the operation.
  mutating func killIfPlanned(in changes: [FileChange]) throws(StepFailure) {
    let namedChanges = NamedChange.naming(changes)
    for (index, change) in namedChanges.enumerated() {
      let crashPoints = interruption.log?.append(change) ?? []
      guard let interruptionPoint = interruption.interruptionPoint,
        crashPoints.contains(interruptionPoint)
      else {
        continue
      }
      circumstances.insert(.killedStep)
      defer { circumstances.remove(.killedStep) }
      for earlierChange in namedChanges[..<index] { try applyBeforeKill(earlierChange.change) }
      throw .killed
    }
  }

  /// Runs a step in which the app is killed.
  mutating func run(
    _ step: Scenario.Step, killedBefore interruptionPoint: Scenario.InterruptionPoint
  ) async throws(StepFailure) {
    guard !step.runsCode, !step.onlyLaunchesApp || !launchRunsCode else {
      return try await interruptCode(of: step, before: interruptionPoint)
    }
    let activity = try await activity(of: step)
    let hadLog = interruption.log != nil
    (interruption.interruptionPoint, interruption.log) = (interruptionPoint, ChangeLog())
    defer {
      (interruption.interruptionPoint, interruption.activity) = (nil, nil)
      if !hadLog { interruption.log = nil }
    }
    do throws(StepFailure) {
      try await startAppIfNeeded(for: step.action)
      try await perform(step.action)
    } catch {
      guard error.outcome == .killed else { throw error }
      // An extension has its own process, so the app continues.
      if step.extensionIdentifier == nil { endApp() }
      return try record(
        .killed(Transcript.Event.Kill(point: interruptionPoint, activity: activity)))
    }
    throw .noChangeToInterrupt(interruptionPoint, interruption.log?.crashPoints ?? [])
  }

  /// Returns the activity that the kill interrupts; nil for a launch step, or if the step fails.
  ///
  /// The activity consists of the step and the adjacent simulated steps of the app. Later steps
  /// that repeat the activity belong to it too.
  private func activity(
    of step: Scenario.Step
  ) async throws(StepFailure) -> InterruptedActivity? {
    guard case .step(let number) = step.reference.number else { return nil }
    if let plannedActivity = interruption.activity, plannedActivity.stepNumbers.contains(number) {
      return plannedActivity
    }
    func belongsToActivity(_ otherStep: Scenario.Step) -> Bool {
      otherStep.isAssertion
        || otherStep.isOfApp && !otherStep.runsCode && otherStep.interruptionPoint == nil
          && otherStep.extensionIdentifier == step.extensionIdentifier
    }
    let earlierSteps = scenario.steps(before: step).reversed().prefix(while: belongsToActivity)
    let laterSteps = scenario.steps(after: step).prefix(while: belongsToActivity)
    // If the scenario repeats the step, the rest of the activity follows the repetition.
    let repetitionIndex = laterSteps.firstIndex { $0.repeats(step) }
    let remainingSteps = repetitionIndex.map { laterSteps[($0 + 1)...] } ?? laterSteps
    let firstNumber = number - earlierSteps.count
    var uninterruptedStep = step
    uninterruptedStep.interruptionPoint = nil
    return try await activity(
      of: [uninterruptedStep] + remainingSteps.filter(\.isOfApp),
      numbered: firstNumber...number + laterSteps.count,
      after: transcript.tree(beforeStep: firstNumber) ?? tree)
  }

  /// Kills the app, or fills the storage, within a step of the app's own code.
  ///
  /// A rehearsal first records all changes of the step. For a kill, the kit then replays the
  /// changes before the kill. For full storage, it runs the code again and lets a write fail.
  mutating func interruptCode(
    of step: Scenario.Step, before interruptionPoint: Scenario.InterruptionPoint
  ) async throws(StepFailure) {
    guard isRecording else { throw Self.noRecordingFailure }
    let rehearsal =
      if let plannedRehearsal = interruption.rehearsal { plannedRehearsal } else {
        try await rehearse(step)
      }
    interruption.rehearsal = nil
    let recording = rehearsal.recording
    let precedingCount = recording.flatMap {
      interruptionPoint.isStorageFull
        ? $0.growthCount(before: interruptionPoint) : $0.pointIndex(of: interruptionPoint)
    }
    guard let recording, let precedingCount else {
      throw rehearsal.failure
        ?? StepFailure.noChangeToInterrupt(
          interruptionPoint,
          (interruptionPoint.isStorageFull ? recording?.growths : recording?.crashPoints)?.map(
            \.point)
            ?? [])
    }
    guard recording.isComplete else { throw Self.incompleteRecordingFailure }
    // The copy of a run that `saved()` returns has no process, even if its app is running.
    if interruptionPoint.isStorageFull, device.app.isRunning, !step.onlyLaunchesApp {
      try await resumeApp()
    }
    if !interruptionPoint.isStorageFull,
      step.onlyLaunchesApp || step.launchesApp && !device.app.isRunning
    {
      try beginNewLaunch()
    }
    device.app.traits.insert(.hasRunInContainer)
    let container = try requiredContainer()
    circumstances.insert(step.onlyLaunchesApp ? [.killedStep, .start] : .killedStep)
    defer { circumstances.subtract([.killedStep, .start]) }
    if interruptionPoint.isStorageFull {
      try await run(step, failingGrowthAfter: precedingCount, at: interruptionPoint)
    } else {
      try await runCode(probing: false) {
        try container.replay(recording.changes[..<precedingCount])
      }
      transcript.changeCalls += recording.calls(before: precedingCount)
    }
    endApp()
    try record(
      .killed(Transcript.Event.Kill(point: interruptionPoint, activity: rehearsal.activity)))
  }

  /// Repeats the steps since the app's latest launch, except the current step, in a new process of
  /// the app.
  ///
  /// If a step fails, or if the device then differs, for example because of random names, resets
  /// the container and only launches the app.
  private mutating func resumeApp() async throws(StepFailure) {
    guard let launchHistory, var resumedRun = launchHistory.runBeforeLaunch.first else {
      return try await relaunchApp()
    }
    let savedDisk = try failingStepOnError(try disk.saved())
    try failingStepOnError(try resumedRun.disk.goBack())
    let steps = launchHistory.steps.dropLast()
    do throws(StepFailure) {
      let succeeded = try await resumedRun.attempt { run throws(StepFailure) in
        for step in steps { try await run.run(step) }
      }
      if succeeded, resumedRun.device == device { return processes = resumedRun.processes }
    } catch {
      resumedRun.endApp()
      throw error
    }
    resumedRun.endApp()
    try failingStepOnError(try savedDisk.goBack())
    try await relaunchApp()
  }

  /// Runs a step to its end, but lets a write fail because the storage is full. Before this write
  /// come `growthCount` writes that make a file longer. An error that the code then throws is no
  /// finding.
  private mutating func run(
    _ step: Scenario.Step, failingGrowthAfter growthCount: Int,
    at interruptionPoint: Scenario.InterruptionPoint
  ) async throws(StepFailure) {
    var step = step
    step.interruptionPoint = nil
    circumstances.insert(.fullStorage)
    defer { circumstances.remove(.fullStorage) }
    let container = try requiredContainer()
    let firstEntryIndex = transcript.entries.count
    try failingStepOnError(try container.simulateFullStorage(after: growthCount))
    var failure: StepFailure?
    do throws(StepFailure) {
      try await runToEnd(step)
    } catch {
      failure = error
    }
    let hasWriteFailed = try failingStepOnError(try container.endFullStorage())
    if let failure, !failure.outcome.canBeExpected, failure.outcome != .appMissing { throw failure }
    guard hasWriteFailed else { throw StepFailure.noChangeToInterrupt(interruptionPoint, nil) }
    removeHandledEntries(since: firstEntryIndex)
  }

  /// Performs work that may run the app's own code, and keeps the changes in ``latestRecording``.
  mutating func recordingChanges(
    _ work: (inout ScenarioRun) async throws(StepFailure) -> Void
  ) async throws(StepFailure) {
    guard isRecording else { return try await work(&self) }
    latestRecording = nil
    let callCount = transcript.changeCalls.count
    let container = try requiredContainer()
    _ = try failingStepOnError(try container.takeChanges())
    do throws(StepFailure) {
      try await work(&self)
    } catch {
      // The log of a process that did not end normally may be incomplete, so a log that cannot be
      // read is no failure.
      latestRecording = try nilIfRefused(try takeRecording(from: container))
      throw error
    }
    latestRecording = try failingStepOnError(try takeRecording(from: container))
    latestRecording?.calls = Array(transcript.changeCalls[callCount...])
  }

  private func takeRecording(from container: FakeContainer) throws(RunError) -> Recording {
    let app = processes.runningApps[nil]
    return Recording(try container.takeChanges { app?.systemPath(of: $0) ?? $0 }, treeAfter: tree)
  }

  private static let noRecordingFailure = StepFailure(
    "the step was not run, because the kit cannot kill the app or fill the storage in the middle of "
      + "the app's own code here. It can on Linux, if the app runs in its own process and the test target "
      + "depends on FileSystemTap: see the article Exploring", .notAllowed)

  private static let incompleteRecordingFailure = StepFailure(
    "the step was not run, because the kit does not see all changes of the app's code: it moves a "
      + "directory in from outside the container, or changes files without the C library. Use "
      + "other calls, or remove 'killed' or 'storageFull'", .notAllowed)
}

extension Scenario {
  fileprivate func steps(before step: Step) -> ArraySlice<Step> {
    steps.prefix { $0.reference.number != step.reference.number }
  }

  func steps(after step: Step) -> ArraySlice<Step> {
    steps.drop { $0.reference.number != step.reference.number }.dropFirst()
  }
}

/// The changes to the file system by the app's steps, each as a distinct crash point.
struct ChangeLog: Sendable {
  private(set) var crashPoints: [Scenario.InterruptionPoint] = []
  /// The number of changes so far of each kind to each path. A key has this kind and path, and
  /// always the occurrence 1.
  private var occurrenceCounts: [Scenario.InterruptionPoint: Int] = [:]

  /// Appends a change, and returns two alternative crash points before it: one that names the item,
  /// and one for any item.
  mutating func append(_ change: NamedChange) -> [Scenario.InterruptionPoint] {
    let alternatives = [change.path, nil].map { path in
      let firstOccurrence = Scenario.InterruptionPoint(kind: change.kind, path: path)
      occurrenceCounts[firstOccurrence, default: 0] += 1
      return Scenario.InterruptionPoint(
        kind: change.kind, path: path, occurrence: occurrenceCounts[firstOccurrence, default: 1])
    }
    crashPoints.append(alternatives[0])
    return alternatives
  }
}

extension StepFailure {
  /// Returns the failure of a step that did not make the change that its `killed` or `storageFull`
  /// names. The key `throws` cannot expect this failure.
  static func noChangeToInterrupt(
    _ interruptionPoint: Scenario.InterruptionPoint, _ madeChanges: [Scenario.InterruptionPoint]?
  ) -> StepFailure {
    let madeChangesClause = madeChanges.map { madeChanges in
      madeChanges.isEmpty
        ? "; it made: no change"
        : "; it made: \(madeChanges.prefix(20).map(\.description).joinedInWords)"
    }
    return StepFailure(
      (interruptionPoint.isStorageFull
        ? "the storage was to be full in this step when the app \(interruptionPoint.pastTense)"
        : "the app was to be killed in this step before it \(interruptionPoint.pastTense)")
        + ", but the step made no such change\(madeChangesClause ?? "")", .noChangeToInterrupt)
  }
}
