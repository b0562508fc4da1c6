import BackupContainer
package import BackupFileTree

/// The containers that an activity leaves if no kill and no full storage interrupts it.
///
/// `UserDataLostRule` compares the container after an interruption with these containers. It also
/// compares after the next launch, and after the app has repeated the activity, so this type has
/// containers for these points too.
package struct InterruptedActivity: Sendable {
  /// The containers of two uninterrupted runs: one without the activity, and one with it.
  package struct TreePair: Sendable {
    package fileprivate(set) var withoutActivity: FileTree
    package let withActivity: FileTree
  }

  /// The numbers of the steps that belong to the activity or repeat it.
  package let stepNumbers: ClosedRange<Int>
  /// True if the activity is only a launch. The next launch then repeats the activity.
  package let onlyLaunchesApp: Bool
  /// The container before the activity (`withoutActivity`) and after it (`withActivity`).
  package private(set) var treesAtEnd: TreePair
  /// The container after each step of the activity, by the number of the step; empty for steps of
  /// the app's own code.
  package let treesAfterSteps: [Int: FileTree]
  /// The containers after the next launch. If the activity itself begins with a launch, a second
  /// pair has the container without the activity after two launches.
  package private(set) var treesAfterLaunch: [TreePair]
  /// The containers after these launches and a repetition of the activity. In some, the app has
  /// done the activity only in the repetition, and in others also before the repetition.
  package let treesAfterRepetition: [FileTree]
  /// The container after another run of the activity. Its differences from the first run show
  /// values that vary, such as random names. nil for simulated steps, which never vary, or if the
  /// other run fails.
  package let treeAfterOtherRun: FileTree?

  /// Returns the files in which any container of the activity may differ from `tree`: those whose
  /// storage the trees do not share.
  package func unsharedFilePaths(with tree: FileTree) -> Set<ContainerPath> {
    let pairs = [treesAtEnd] + treesAfterLaunch
    return (pairs.flatMap { [$0.withoutActivity, $0.withActivity] } + treesAfterRepetition)
      .reduce(into: []) { $0.formUnion($1.unsharedFilePaths(with: tree)) }
  }

  /// Adds to each `withoutActivity` the files that finished steps of the activity have saved. A
  /// later step must not lose them.
  mutating func add(filesLeftBy entries: some Sequence<Transcript.Entry>) {
    treesAtEnd.withoutActivity.add(filesSavedBy: entries)
    for index in treesAfterLaunch.indices {
      treesAfterLaunch[index].withoutActivity.add(filesSavedBy: entries)
    }
  }
}

extension InterruptedActivity: Hashable {
  /// Returns true if both activities begin and end with the same containers. All other containers
  /// of an activity depend on these two.
  package static func == (left: Self, right: Self) -> Bool {
    left.stepNumbers == right.stepNumbers
      && ContainerState(tree: left.treesAtEnd.withoutActivity)
        == ContainerState(tree: right.treesAtEnd.withoutActivity)
      && ContainerState(tree: left.treesAtEnd.withActivity)
        == ContainerState(tree: right.treesAtEnd.withActivity)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(stepNumbers) }
}

extension ScenarioRun {
  /// Returns a copy of the run for a trial. The copy changes only a model of the container, not the
  /// disk.
  func simulatedCopy() -> ScenarioRun {
    var trial = self
    trial.disk = ModelDisk(over: disk)
    trial.isDiskUncertain = false
    return trial
  }

  /// Performs simulated steps in a model, without an interruption.
  ///
  /// - Parameters:
  ///   - steps: The next steps.
  ///   - numbers: The numbers of all steps of the activity: these steps, the activity's earlier
  ///     steps, and later steps that repeat it.
  ///   - treeBefore: The container before the activity.
  /// - Returns: The activity; nil if the first step fails.
  /// - Throws: ``StepFailure`` for a fault of the machine.
  func activity(
    of steps: [Scenario.Step], numbered numbers: ClosedRange<Int>, after treeBefore: FileTree
  ) async throws(StepFailure) -> InterruptedActivity? {
    var treesAfterSteps: [Int: FileTree] = [:]
    let finishedRun = try await runInModel(steps) { step, tree in
      if case .step(let number) = step.reference.number { treesAfterSteps[number] = tree }
    }
    guard let finishedRun else { return nil }
    let treesAtEnd = InterruptedActivity.TreePair(
      withoutActivity: treeBefore, withActivity: finishedRun.tree)
    let onlyLaunchesApp = steps.allSatisfy(\.onlyLaunchesApp)
    guard !scenario.launch.isEmpty else {
      return InterruptedActivity(
        stepNumbers: numbers, onlyLaunchesApp: onlyLaunchesApp, treesAtEnd: treesAtEnd,
        treesAfterSteps: treesAfterSteps,
        treesAfterLaunch: [treesAtEnd],
        treesAfterRepetition: [finishedRun.tree]
          + (try await finishedRun.runInModel(steps).map { [$0.tree] } ?? []),
        treeAfterOtherRun: nil)
    }
    var runWithoutActivity = simulatedCopy()
    runWithoutActivity.device.containers = ContainerState(tree: treeBefore)
    let runWithActivity = try await finishedRun.launchInModel()
    var treesAfterLaunch: [InterruptedActivity.TreePair] = []
    // An extension can repeat the activity without an earlier launch of the app.
    let isExtensionActivity = steps.contains { $0.extensionIdentifier != nil }
    var runsBeforeRepetition = [runWithActivity] + (isExtensionActivity ? [self, finishedRun] : [])
    var relaunchedRun = self
    for _ in 1...(device.app.isRunning || isExtensionActivity ? 1 : 2) {
      runWithoutActivity = try await runWithoutActivity.launchInModel()
      relaunchedRun = try await relaunchedRun.launchInModel()
      treesAfterLaunch.append(
        InterruptedActivity.TreePair(
          withoutActivity: runWithoutActivity.tree, withActivity: runWithActivity.tree))
      runsBeforeRepetition.insert(relaunchedRun, at: 0)
    }
    var treesAfterRepetition: [FileTree] = []
    for startRun in runsBeforeRepetition {
      if let repeatedRun = try await startRun.runInModel(steps) {
        treesAfterRepetition.append(repeatedRun.tree)
      }
    }
    return InterruptedActivity(
      stepNumbers: numbers, onlyLaunchesApp: onlyLaunchesApp, treesAtEnd: treesAtEnd,
      treesAfterSteps: treesAfterSteps,
      treesAfterLaunch: treesAfterLaunch, treesAfterRepetition: treesAfterRepetition,
      treeAfterOtherRun: nil)
  }

  /// Performs simulated steps in a model, and returns the run after them; nil if the first step
  /// fails.
  ///
  /// A later step may fail, because it may repeat an earlier step. After each step, the method
  /// calls `afterEachStep` with the step and the container.
  private func runInModel(
    _ steps: [Scenario.Step], afterEachStep: (Scenario.Step, FileTree) -> Void = { _, _ in }
  ) async throws(StepFailure) -> ScenarioRun? {
    var trial = simulatedCopy()
    // The trial needs no earlier entries, and a copy of them costs time.
    trial.transcript.firstTree = trial.transcript.lastTree
    trial.transcript.entries = []
    for (index, step) in steps.enumerated() {
      let succeeded = try await trial.attempt { run throws(StepFailure) in try await run.run(step) }
      if !succeeded, index == 0 { return nil }
      afterEachStep(step, trial.tree)
    }
    return trial
  }

  /// Launches the app in a model, and returns the run afterwards. If the launch fails, returns the
  /// run at the failure.
  private func launchInModel() async throws(StepFailure) -> ScenarioRun {
    var trial = simulatedCopy()
    trial.transcript.entries = []
    _ = try await trial.attempt { run throws(StepFailure) in try await run.relaunchApp() }
    return trial
  }

  /// Performs a step of the app's own code without an interruption, and then resets the container.
  ///
  /// - Parameters:
  ///   - step: A step that runs the app's own code.
  ///   - earlierRecording: The recording of an earlier run of the step from the same container; nil
  ///     if none exists.
  /// - Returns: The rehearsal. If the step fails, the rehearsal has no activity.
  /// - Throws: ``StepFailure`` for a fault of the machine.
  func rehearse(
    _ step: Scenario.Step, comparingWith earlierRecording: Recording? = nil
  ) async throws(StepFailure) -> Rehearsal {
    let savedDisk = try failingStepOnError(try disk.saved())
    var step = step
    step.interruptionPoint = nil
    let treeBefore = try currentTree()
    var rehearsal = Rehearsal(recording: earlierRecording)
    var (treesAfterLaunch, treesAfterRepetition): ([FileTree], [FileTree]) = ([], [])
    // A copy of a run from `ScenarioRun.saved()` has no process, even if its device says that the
    // app is running.
    let appLacksProcess = device.app.isRunning && processes.runningApps[nil] == nil
    var (treeWithActivity, repetitionWithActivity): (FileTree?, Repetition?) = (
      earlierRecording?.treeAfter, nil
    )
    if !appLacksProcess {
      var run = self
      do throws(StepFailure) {
        try await run.run(step)
      } catch {
        rehearsal.failure = error
      }
      rehearsal.recording = earlierRecording ?? run.latestRecording
      rehearsal.isRepeatable =
        earlierRecording?.interruptionPoints == run.latestRecording?.interruptionPoints
      if rehearsal.failure == nil {
        treeWithActivity = treeWithActivity ?? run.tree
        repetitionWithActivity = try await run.restartAndRepeat(step)
      }
      try run.endAppAndGoBack(to: savedDisk)
      guard rehearsal.failure == nil else { return rehearsal }
    }
    var repetitionPoints: [Scenario.InterruptionPoint]?
    // If an activity begins with a launch, a kill after this launch causes a second launch.
    for launchCount in 1...(device.app.isRunning || step.onlyLaunchesApp || !launchRunsCode ? 1 : 2)
    {
      var run = self
      if launchCount > 1 { _ = try await run.restart(for: step) }
      let repetition = try await run.restartAndRepeat(step)
      treesAfterLaunch.append(repetition.treeAfterLaunch)
      if let treeAfterStep = repetition.treeAfterStep { treesAfterRepetition.append(treeAfterStep) }
      repetitionPoints = run.latestRecording?.interruptionPoints
      if repetitionWithActivity == nil {
        repetitionWithActivity = try await run.restartAndRepeat(step)
      }
      try run.endAppAndGoBack(to: savedDisk)
    }
    if appLacksProcess {
      rehearsal.isRepeatable = earlierRecording?.interruptionPoints == repetitionPoints
    }
    if appLacksProcess, !rehearsal.isRepeatable {
      // A new process may change more items than the process that ran before, so compare two new
      // processes.
      var run = self
      rehearsal.isRepeatable =
        try await run.restartAndRepeat(step).treeAfterStep != nil
        && run.latestRecording?.interruptionPoints == repetitionPoints
      try run.endAppAndGoBack(to: savedDisk)
    }
    guard let treeWithActivity, let repetitionWithActivity else { return rehearsal }
    rehearsal.activity = InterruptedActivity(
      stepNumbers: activityStepNumbers(of: step), onlyLaunchesApp: step.onlyLaunchesApp,
      treesAtEnd: InterruptedActivity.TreePair(
        withoutActivity: treeBefore, withActivity: treeWithActivity),
      treesAfterSteps: [:],
      treesAfterLaunch: treesAfterLaunch.map {
        InterruptedActivity.TreePair(
          withoutActivity: $0, withActivity: repetitionWithActivity.treeAfterLaunch)
      },
      treesAfterRepetition: treesAfterRepetition
        + [repetitionWithActivity.treeAfterStep].compactMap(\.self),
      treeAfterOtherRun: treesAfterRepetition.first)
    return rehearsal
  }

  /// The containers after a launch, and after the step that follows it.
  private struct Repetition {
    let treeAfterLaunch: FileTree
    /// nil if the step fails.
    let treeAfterStep: FileTree?
  }

  private mutating func restartAndRepeat(
    _ step: Scenario.Step
  ) async throws(StepFailure) -> Repetition {
    let treeAfterLaunch = try await restart(for: step)
    let succeeded = try await attempt { run throws(StepFailure) in try await run.run(step) }
    return Repetition(treeAfterLaunch: treeAfterLaunch, treeAfterStep: succeeded ? tree : nil)
  }

  /// Ends the app, and launches it in a new process. Returns the container afterwards.
  ///
  /// If `step` only launches the app, this method only ends the app.
  private mutating func restart(for step: Scenario.Step) async throws(StepFailure) -> FileTree {
    endApp()
    guard !step.onlyLaunchesApp else { return tree }
    _ = try await attempt { run throws(StepFailure) in try await run.relaunchApp() }
    return tree
  }

  /// Ends the app, and returns the disk to a saved state.
  private mutating func endAppAndGoBack(to savedDisk: any RunDisk) throws(StepFailure) {
    endApp()
    try failingStepOnError(try savedDisk.goBack())
  }

  /// Returns the number of a step as a range. If the next step repeats the step, the range includes
  /// both numbers.
  private func activityStepNumbers(of step: Scenario.Step) -> ClosedRange<Int> {
    guard case .step(let number) = step.reference.number else { return 0...0 }
    let nextStep = scenario.steps(after: step).first
    return number...(nextStep?.repeats(step) == true ? number + 1 : number)
  }
}

/// The results of a step of the app's own code that ran without an interruption.
package struct Rehearsal: Sendable {
  package internal(set) var activity: InterruptedActivity?
  /// The changes of the step; nil if they were not recorded.
  package fileprivate(set) var recording: Recording?
  /// True if a repetition of the step makes the same changes in the same order.
  package fileprivate(set) var isRepeatable = false
  /// The failure of the step; nil if it succeeded.
  fileprivate(set) var failure: StepFailure?

  fileprivate init(recording: Recording?) {
    self.recording = recording
  }
}

extension Recording {
  fileprivate var interruptionPoints: [Scenario.InterruptionPoint] { crashPoints.map(\.point) }
}
