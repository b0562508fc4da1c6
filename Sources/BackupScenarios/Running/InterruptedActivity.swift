import BackupContainer
package import BackupFileTree

/// An activity of the app's, found out without the interruption: what it leaves, and what a start and a
/// repetition leave after that.
///
/// An activity is a start, or the app's steps between two points at rest. The app is killed in it, or its storage
/// is full. What is then there is compared with these containers.
package struct InterruptedActivity: Sendable {
  /// The containers of two runs that nothing interrupts: one without the activity, one with it.
  package struct Pair: Sendable {
    package fileprivate(set) var without: FileTree
    package let with: FileTree
  }

  /// The numbers of the steps that belong to the activity, or do it again.
  package let steps: ClosedRange<Int>
  /// True if the activity is a start and nothing else: the next start does it again.
  package let isStart: Bool
  /// The container before the activity, and as the activity leaves it.
  package private(set) var whole: Pair
  /// The same after a start of the app, and after two if the activity begins with one.
  package private(set) var started: [Pair]
  /// The containers after the activity was done after these starts: once, and twice.
  package let repeated: [FileTree]
  /// What another run of the activity leaves, which shows what varies; nil for simulated steps, which are always
  /// the same.
  package let otherRun: FileTree?

  /// The files of these containers and of another, without those that are the same in all of them.
  package func filesNotShared(with tree: FileTree) -> Set<ContainerPath> {
    let pairs = [whole] + started
    return (pairs.flatMap { [$0.without, $0.with] } + repeated)
      .reduce(into: []) { $0.formUnion($1.filesNotShared(with: tree)) }
  }

  /// Notes what steps of the activity have left that came to their ends: a later one must not lose it.
  mutating func note(_ entries: some Sequence<Transcript.Entry>) {
    whole.without.add(filesLeftBy: entries)
    for index in started.indices { started[index].without.add(filesLeftBy: entries) }
  }
}

extension InterruptedActivity: Hashable {
  /// True if both begin and end with the same containers: the rest follows from these.
  package static func == (left: Self, right: Self) -> Bool {
    left.steps == right.steps
      && ContainerState(tree: left.whole.without) == ContainerState(tree: right.whole.without)
      && ContainerState(tree: left.whole.with) == ContainerState(tree: right.whole.with)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(steps) }
}

extension ScenarioRun {
  /// The run in a model of its container, for a trial.
  func simulatedCopy() -> ScenarioRun {
    var trial = self
    trial.disk = ModelDisk(over: disk)
    trial.isDiskUncertain = false
    return trial
  }

  /// Finds out in a model what simulated steps do that nothing interrupts.
  ///
  /// - Parameters:
  ///   - steps: The steps from here on.
  ///   - numbers: The numbers of these steps, of those before them that belong to the activity, and of those that
  ///     do it again.
  ///   - before: The container before the activity.
  /// - Returns: nil if the first step fails.
  /// - Throws: ``StepFailure`` if it is the machine's fault that a trial fails.
  func activity(
    of steps: [Scenario.Step], numbered numbers: ClosedRange<Int>, after before: FileTree
  ) async throws(StepFailure) -> InterruptedActivity? {
    guard let done = try await trial(of: steps) else { return nil }
    let whole = InterruptedActivity.Pair(without: before, with: done.tree)
    let isStart = steps.allSatisfy(\.isStart)
    guard !scenario.launch.isEmpty else {
      return InterruptedActivity(
        steps: numbers, isStart: isStart, whole: whole, started: [whole],
        repeated: [done.tree] + (try await done.trial(of: steps).map { [$0.tree] } ?? []),
        otherRun: nil)
    }
    var begun = simulatedCopy()
    begun.device.containers = ContainerState(tree: before)
    let startedWith = try await done.trialStart()
    var started: [InterruptedActivity.Pair] = []
    // An extension does it again with or without a start of the app before.
    let isOfExtension = steps.contains { $0.extensionIdentifier != nil }
    var repeated = [startedWith] + (isOfExtension ? [self, done] : [])
    var again = self
    for _ in 1...(device.app.isRunning || isOfExtension ? 1 : 2) {
      (begun, again) = (try await begun.trialStart(), try await again.trialStart())
      started.append(InterruptedActivity.Pair(without: begun.tree, with: startedWith.tree))
      repeated.insert(again, at: 0)
    }
    var ends: [FileTree] = []
    for run in repeated {
      if let end = try await run.trial(of: steps) { ends.append(end.tree) }
    }
    return InterruptedActivity(
      steps: numbers, isStart: isStart, whole: whole, started: started, repeated: ends,
      otherRun: nil)
  }

  /// The run after simulated steps, done in a model; nil if the first fails. A later step that fails is passed
  /// over, since a file may say the same steps again.
  private func trial(of steps: [Scenario.Step]) async throws(StepFailure) -> ScenarioRun? {
    var trial = simulatedCopy()
    // What came before is not looked at, and need not be copied.
    trial.transcript.firstTree = trial.transcript.lastTree
    trial.transcript.entries = []
    for (index, step) in steps.enumerated() {
      let isDone = try await trial.succeeds { run throws(StepFailure) in try await run.run(step) }
      if !isDone, index == 0 { return nil }
    }
    return trial
  }

  /// The run after a simulated start, as far as that comes.
  private func trialStart() async throws(StepFailure) -> ScenarioRun {
    var trial = simulatedCopy()
    trial.transcript.entries = []
    _ = try await trial.succeeds { run throws(StepFailure) in try await run.relaunchApp() }
    return trial
  }

  /// Finds out in the container what a step of code does that nothing interrupts, and sets the container back.
  ///
  /// - Parameters:
  ///   - step: A step that runs code of the app's own.
  ///   - known: What the step changed when it was done from here; nil if it was not.
  /// - Returns: What the step does; without an activity if it fails.
  /// - Throws: ``StepFailure`` if it is the machine's fault that a trial fails.
  func rehearse(
    _ step: Scenario.Step, known: Recording? = nil
  ) async throws(StepFailure) -> Rehearsal {
    let saved = try onDisk(try disk.saved())
    var step = step
    step.killed = nil
    let before = try look()
    var rehearsal = Rehearsal(recording: known)
    var (started, ends): ([FileTree], [FileTree]) = ([], [])
    // A run that was saved has no process.
    let isAsleep = device.app.isRunning && processes.running[nil] == nil
    var (whole, afterWhole): (FileTree?, Restart?) = (known?.after, nil)
    if !isAsleep {
      var run = self
      do throws(StepFailure) {
        try await run.run(step)
      } catch {
        rehearsal.failure = error
      }
      rehearsal.recording = known ?? run.latestRecording
      rehearsal.isRepeatable = known?.pointsAlone == run.latestRecording?.pointsAlone
      if rehearsal.failure == nil {
        whole = whole ?? run.tree
        afterWhole = try await run.restart(for: step)
      }
      try run.sleep(in: saved)
      guard rehearsal.failure == nil else { return rehearsal }
    }
    var points: [Scenario.KillPoint]?
    // Where the activity begins with a start, the app starts twice if it is killed after that.
    for count in 1...(device.app.isRunning || step.isStart || !startRunsCode ? 1 : 2) {
      var run = self
      if count > 1 { _ = try await run.startAgain(for: step) }
      let restart = try await run.restart(for: step)
      started.append(restart.started)
      if let end = restart.end { ends.append(end) }
      points = run.latestRecording?.pointsAlone
      if afterWhole == nil { afterWhole = try await run.restart(for: step) }
      try run.sleep(in: saved)
    }
    if isAsleep { rehearsal.isRepeatable = known?.pointsAlone == points }
    if isAsleep, !rehearsal.isRepeatable {
      // A process that has just started may do more than one that ran.
      var run = self
      rehearsal.isRepeatable =
        try await run.restart(for: step).end != nil && run.latestRecording?.pointsAlone == points
      try run.sleep(in: saved)
    }
    guard let whole, let afterWhole else { return rehearsal }
    rehearsal.activity = InterruptedActivity(
      steps: activitySteps(of: step), isStart: step.isStart,
      whole: InterruptedActivity.Pair(without: before, with: whole),
      started: started.map { InterruptedActivity.Pair(without: $0, with: afterWhole.started) },
      repeated: ends + [afterWhole.end].compactMap(\.self), otherRun: ends.first)
    return rehearsal
  }

  /// The containers after a start, and after a step behind it.
  private struct Restart {
    let started: FileTree
    /// nil if the step fails.
    let end: FileTree?
  }

  private mutating func restart(for step: Scenario.Step) async throws(StepFailure) -> Restart {
    let started = try await startAgain(for: step)
    let isDone = try await succeeds { run throws(StepFailure) in try await run.run(step) }
    return Restart(started: started, end: isDone ? tree : nil)
  }

  /// Starts the app in a new process, unless a step does that itself; returns the container afterwards.
  private mutating func startAgain(for step: Scenario.Step) async throws(StepFailure) -> FileTree {
    endApp()
    guard !step.isStart else { return tree }
    _ = try await succeeds { run throws(StepFailure) in try await run.relaunchApp() }
    return tree
  }

  /// Ends the app, and sets the container back.
  private mutating func sleep(in saved: any RunDisk) throws(StepFailure) {
    endApp()
    try onDisk(try saved.goBack())
  }

  /// The numbers of a step of code, and of the one behind it that does the same again.
  private func activitySteps(of step: Scenario.Step) -> ClosedRange<Int> {
    guard case .step(let number) = step.reference.number else { return 0...0 }
    let next = scenario.steps(after: step).first
    return number...(next?.repeats(step) == true ? number + 1 : number)
  }
}

/// A step of code, done without an interruption.
package struct Rehearsal: Sendable {
  package internal(set) var activity: InterruptedActivity?
  /// The changes of the step; nil if they were not seen.
  package fileprivate(set) var recording: Recording?
  /// Whether the step changes its files in the same order if it is done again.
  package fileprivate(set) var isRepeatable = false
  /// The failure of the step; nil if it succeeded.
  fileprivate(set) var failure: StepFailure?

  fileprivate init(recording: Recording?) {
    self.recording = recording
  }
}

extension Recording {
  fileprivate var pointsAlone: [Scenario.KillPoint] { points.map(\.point) }
}
