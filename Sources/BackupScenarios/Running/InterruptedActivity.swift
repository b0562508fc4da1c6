import BackupContainer
package import BackupFileTree

/// The containers that an interrupted activity would leave without the interruption, also after a start and a
/// repetition.
///
/// An activity is a start, or the app's steps between two quiescent points. It is interrupted by a kill or by full
/// storage. `UserDataLostRule` compares the container after the interruption with these containers.
package struct InterruptedActivity: Sendable {
  /// The containers of two uninterrupted runs: one without the activity, and one with it.
  package struct Pair: Sendable {
    package fileprivate(set) var without: FileTree
    package let with: FileTree
  }

  /// The numbers of the steps that belong to the activity or repeat it.
  package let steps: ClosedRange<Int>
  /// True if the activity is only a start, which the next start repeats.
  package let isStart: Bool
  /// The containers before and after the activity.
  package private(set) var whole: Pair
  /// By step number, the containers during the uninterrupted activity, each after the step; empty for steps of code.
  package let treesAfterSteps: [Int: FileTree]
  /// The pair after a start of the app. If the activity begins with a start, also the pair after two.
  package private(set) var started: [Pair]
  /// The containers after the activity was performed after these starts: once, and twice.
  package let repeated: [FileTree]
  /// The container after another run of the activity, which shows what varies; nil for simulated steps, which never
  /// vary.
  package let otherRun: FileTree?

  /// Returns the files of these containers and of another, without those that are the same in all of them.
  package func filesNotShared(with tree: FileTree) -> Set<ContainerPath> {
    let pairs = [whole] + started
    return (pairs.flatMap { [$0.without, $0.with] } + repeated)
      .reduce(into: []) { $0.formUnion($1.filesNotShared(with: tree)) }
  }

  /// Adds the files that finished steps of the activity have left. A later step must not lose them.
  mutating func add(filesLeftBy entries: some Sequence<Transcript.Entry>) {
    whole.without.add(filesLeftBy: entries)
    for index in started.indices { started[index].without.add(filesLeftBy: entries) }
  }
}

extension InterruptedActivity: Hashable {
  /// Returns true if both begin and end with the same containers, on which the others depend.
  package static func == (left: Self, right: Self) -> Bool {
    left.steps == right.steps
      && ContainerState(tree: left.whole.without) == ContainerState(tree: right.whole.without)
      && ContainerState(tree: left.whole.with) == ContainerState(tree: right.whole.with)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(steps) }
}

extension ScenarioRun {
  /// Returns a copy of the run in a model of its container, for a trial.
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
  ///   - numbers: The numbers of these steps, of those before them that belong to the activity, and of those that
  ///     repeat it.
  ///   - before: The container before the activity.
  /// - Returns: The activity; nil if the first step fails.
  /// - Throws: ``StepFailure`` for a fault of the machine.
  func activity(
    of steps: [Scenario.Step], numbered numbers: ClosedRange<Int>, after before: FileTree
  ) async throws(StepFailure) -> InterruptedActivity? {
    var treesAfterSteps: [Int: FileTree] = [:]
    let done = try await trial(of: steps) { step, tree in
      if case .step(let number) = step.reference.number { treesAfterSteps[number] = tree }
    }
    guard let done else { return nil }
    let whole = InterruptedActivity.Pair(without: before, with: done.tree)
    let isStart = steps.allSatisfy(\.isStart)
    guard !scenario.launch.isEmpty else {
      return InterruptedActivity(
        steps: numbers, isStart: isStart, whole: whole, treesAfterSteps: treesAfterSteps,
        started: [whole],
        repeated: [done.tree] + (try await done.trial(of: steps).map { [$0.tree] } ?? []),
        otherRun: nil)
    }
    var startedWithout = simulatedCopy()
    startedWithout.device.containers = ContainerState(tree: before)
    let startedWith = try await done.trialStart()
    var started: [InterruptedActivity.Pair] = []
    // An extension repeats the activity with or without an earlier start of the app.
    let isOfExtension = steps.contains { $0.extensionIdentifier != nil }
    var repeated = [startedWith] + (isOfExtension ? [self, done] : [])
    var restarted = self
    for _ in 1...(device.app.isRunning || isOfExtension ? 1 : 2) {
      startedWithout = try await startedWithout.trialStart()
      restarted = try await restarted.trialStart()
      started.append(InterruptedActivity.Pair(without: startedWithout.tree, with: startedWith.tree))
      repeated.insert(restarted, at: 0)
    }
    var ends: [FileTree] = []
    for run in repeated {
      if let end = try await run.trial(of: steps) { ends.append(end.tree) }
    }
    return InterruptedActivity(
      steps: numbers, isStart: isStart, whole: whole, treesAfterSteps: treesAfterSteps,
      started: started, repeated: ends, otherRun: nil)
  }

  /// Returns the run after simulated steps in a model; nil if the first fails. A later step may fail, because the
  /// scenario may have repeated the steps. Calls `whenDone` with each step and the container after it.
  private func trial(
    of steps: [Scenario.Step], whenDone: (Scenario.Step, FileTree) -> Void = { _, _ in }
  ) async throws(StepFailure) -> ScenarioRun? {
    var trial = simulatedCopy()
    // The trial needs no earlier entries, and a copy of them costs time.
    trial.transcript.firstTree = trial.transcript.lastTree
    trial.transcript.entries = []
    for (index, step) in steps.enumerated() {
      let succeeded = try await trial.attempt { run throws(StepFailure) in try await run.run(step) }
      if !succeeded, index == 0 { return nil }
      whenDone(step, trial.tree)
    }
    return trial
  }

  /// Returns the run after a simulated start, or after the part of it before a failure.
  private func trialStart() async throws(StepFailure) -> ScenarioRun {
    var trial = simulatedCopy()
    trial.transcript.entries = []
    _ = try await trial.attempt { run throws(StepFailure) in try await run.relaunchApp() }
    return trial
  }

  /// Performs a step of code in the container without an interruption, and then resets the container.
  ///
  /// - Parameters:
  ///   - step: A step that runs the app's own code.
  ///   - former: The changes of an earlier run of the step from here; nil for none.
  /// - Returns: The rehearsal; without an activity if the step fails.
  /// - Throws: ``StepFailure`` for a fault of the machine.
  func rehearse(
    _ step: Scenario.Step, former: Recording? = nil
  ) async throws(StepFailure) -> Rehearsal {
    let saved = try failingStep(try disk.saved())
    var step = step
    step.killed = nil
    let before = try currentTree()
    var rehearsal = Rehearsal(recording: former)
    var (started, ends): ([FileTree], [FileTree]) = ([], [])
    // A saved run has no process of a running app.
    let lacksProcess = device.app.isRunning && processes.running[nil] == nil
    var (whole, afterWhole): (FileTree?, Repetition?) = (former?.after, nil)
    if !lacksProcess {
      var run = self
      do throws(StepFailure) {
        try await run.run(step)
      } catch {
        rehearsal.failure = error
      }
      rehearsal.recording = former ?? run.latestRecording
      rehearsal.isRepeatable = former?.crashPoints == run.latestRecording?.crashPoints
      if rehearsal.failure == nil {
        whole = whole ?? run.tree
        afterWhole = try await run.restartAndRepeat(step)
      }
      try run.endAppAndGoBack(to: saved)
      guard rehearsal.failure == nil else { return rehearsal }
    }
    var points: [Scenario.KillPoint]?
    // If an activity begins with a start, a kill after that start causes a second one.
    for count in 1...(device.app.isRunning || step.isStart || !startRunsCode ? 1 : 2) {
      var run = self
      if count > 1 { _ = try await run.restart(for: step) }
      let repetition = try await run.restartAndRepeat(step)
      started.append(repetition.started)
      if let end = repetition.end { ends.append(end) }
      points = run.latestRecording?.crashPoints
      if afterWhole == nil { afterWhole = try await run.restartAndRepeat(step) }
      try run.endAppAndGoBack(to: saved)
    }
    if lacksProcess { rehearsal.isRepeatable = former?.crashPoints == points }
    if lacksProcess, !rehearsal.isRepeatable {
      // A new process may change more than the one that ran before, so two new ones are compared.
      var run = self
      rehearsal.isRepeatable =
        try await run.restartAndRepeat(step).end != nil
        && run.latestRecording?.crashPoints == points
      try run.endAppAndGoBack(to: saved)
    }
    guard let whole, let afterWhole else { return rehearsal }
    rehearsal.activity = InterruptedActivity(
      steps: activitySteps(of: step), isStart: step.isStart,
      whole: InterruptedActivity.Pair(without: before, with: whole),
      treesAfterSteps: [:],
      started: started.map { InterruptedActivity.Pair(without: $0, with: afterWhole.started) },
      repeated: ends + [afterWhole.end].compactMap(\.self), otherRun: ends.first)
    return rehearsal
  }

  /// The containers after a start, and after a step that follows it.
  private struct Repetition {
    let started: FileTree
    /// nil if the step fails.
    let end: FileTree?
  }

  private mutating func restartAndRepeat(
    _ step: Scenario.Step
  ) async throws(StepFailure) -> Repetition {
    let started = try await restart(for: step)
    let succeeded = try await attempt { run throws(StepFailure) in try await run.run(step) }
    return Repetition(started: started, end: succeeded ? tree : nil)
  }

  /// Starts the app in a new process, unless the step does, and returns the container afterwards.
  private mutating func restart(for step: Scenario.Step) async throws(StepFailure) -> FileTree {
    endApp()
    guard !step.isStart else { return tree }
    _ = try await attempt { run throws(StepFailure) in try await run.relaunchApp() }
    return tree
  }

  /// Ends the app, and restores the contents that a disk saved.
  private mutating func endAppAndGoBack(to saved: any RunDisk) throws(StepFailure) {
    endApp()
    try failingStep(try saved.goBack())
  }

  /// Returns the numbers of a step of code, and of the next step if it repeats it.
  private func activitySteps(of step: Scenario.Step) -> ClosedRange<Int> {
    guard case .step(let number) = step.reference.number else { return 0...0 }
    let next = scenario.steps(after: step).first
    return number...(next?.repeats(step) == true ? number + 1 : number)
  }
}

/// The results of performing a step of code without an interruption.
package struct Rehearsal: Sendable {
  package internal(set) var activity: InterruptedActivity?
  /// The changes of the step; nil if they were not recorded.
  package fileprivate(set) var recording: Recording?
  /// True if a repetition of the step changes its files in the same order.
  package fileprivate(set) var isRepeatable = false
  /// The failure of the step; nil if it succeeded.
  fileprivate(set) var failure: StepFailure?

  fileprivate init(recording: Recording?) {
    self.recording = recording
  }
}

extension Recording {
  fileprivate var crashPoints: [Scenario.KillPoint] { points.map(\.point) }
}
