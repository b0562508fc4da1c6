import BackupCollections
import BackupContainer
package import BackupDiagnostics
import BackupFileTree

/// A run that is done step by step, to go on from in several ways.
///
/// Without a disk it is a value, so a copy of it goes its own way. With one all copies have the same
/// container, and ``goBack()`` makes that what it was when a copy was made by ``saved()``.
package struct SteppedRun: Sendable {
  @Boxed private var run: ScenarioRun
  /// The container, which goes with the last copy; nil for a run without a disk.
  private let container: FakeContainer?

  init(_ run: ScenarioRun, in container: FakeContainer?) {
    self.run = run
    self.container = container
  }

  /// A run without a disk.
  package init(
    _ scenario: Scenario, _ variant: Scenario.Variant, simulators: Simulators = .standard,
    limits: Scenario.RunLimits = Scenario.RunLimits()
  ) throws(RunError) {
    let profile = try simulators.profile(of: scenario, variant)
    let layout = profile.layout(of: scenario.app)
    var run = ScenarioRun(
      scenario, variant, profile: profile, simulators: simulators, host: GuestHost(AppActions()),
      disk: ModelDisk(), firstTree: layout.tree, firstStep: scenario.firstStep)
    run.tally = ResourceTally(limits: limits)
    self.init(run, in: nil)
  }

  package var variant: Scenario.Variant { run.variant }

  /// Whether it has no container, and runs no code of the app's own.
  package var isValue: Bool { container == nil }

  package var state: DeviceState { run.state }

  /// The state without what nothing later depends on.
  package func reducedState(restoring labels: Set<String>) -> DeviceState {
    var state = run.state.reduced(
      restoring: labels, runsCode: container != nil, besides: run.usedDetails)
    if container == nil || !run.host.mayCheck { state.app.traits.remove(.unchecked) }
    return state
  }

  /// Whether a step is only for some versions of the app.
  package var usesAppVersions: Bool { run.usedDetails.contains(.appVersion) }

  /// Whether the run keeps what it needs to do the steps since the app's start again, for full storage.
  package var keepsStart: Bool {
    get { run.sinceStart != nil }
    set {
      let isKept = container != nil && (newValue || run.scenario.fillsStorage)
      run.sinceStart = isKept ? run.sinceStart ?? SinceStart() : nil
    }
  }

  /// What has happened since the entries were last taken; at first, how the run begins.
  package var transcript: Transcript {
    guard container != nil else { return run.transcript }
    var settled = run
    settled.settleFoundationMarks()
    return settled.transcript
  }

  /// Takes the entries of what has happened, which are kept nowhere else.
  package mutating func takeEntries() -> [Transcript.Entry] {
    defer { run.transcript.entries = [] }
    return run.transcript.entries
  }

  /// A copy that goes on from here whatever becomes of this run. It has no process of the app's, and
  /// its container is kept.
  package func saved() throws(Transcript.Failure) -> SteppedRun {
    var copy = self
    copy.run.processes.leave()
    copy.run.disk = try onDisk(try run.disk.saved())
    return copy
  }

  /// Makes the container what it was when this copy was saved.
  package func goBack() throws(Transcript.Failure) {
    try onDisk(try run.disk.goBack())
    try onDisk(try container?.adopt(run.profile))
  }

  package var savedBytes: Int { container.map { Int($0.bytesOfSaved) } ?? 0 }

  private func onDisk<Result>(
    _ work: @autoclosure () throws(RunError) -> Result
  ) throws(Transcript.Failure) -> Result {
    do throws(RunError) {
      return try work()
    } catch {
      throw Transcript.Failure(StepFailure(error), at: run.currentStep)
    }
  }

  /// Does a step, unless it is for other systems. `rehearsal` is what a step does in which the app's own
  /// code is killed, nil to find out; `keepsBackups` if a backup may be restored though no step does.
  package mutating func perform(
    _ step: Scenario.Step, as rehearsal: Rehearsal? = nil, keepingBackups keepsBackups: Bool = false
  ) async throws(Transcript.Failure) {
    run.plannedRehearsal = rehearsal
    let archived = run.archived
    if keepsBackups { run.archived = .all }
    defer { run.archived = archived }
    do throws(StepFailure) {
      try await run.run(step)
    } catch {
      throw Transcript.Failure(error, at: run.currentStep)
    }
  }

  /// Finds out what simulated steps do without interruption, for the kills within them.
  package mutating func planActivity(
    of steps: [Scenario.Step]
  ) async throws(Transcript.Failure) {
    guard case .step(let first)? = steps.first?.reference.number,
      case .step(let last)? = steps.last?.reference.number
    else { return }
    do throws(StepFailure) {
      run.plannedActivity = try await run.activity(
        of: steps, numbered: first...last, after: run.tree)
    } catch {
      throw Transcript.Failure(error, at: steps[0].reference)
    }
  }

  /// Whether steps of the app's that are simulated can be done from here.
  package func canPerform(
    _ steps: some Sequence<Scenario.Step>
  ) async throws(Transcript.Failure) -> Bool {
    var trial = simulatedCopy()
    let isDone = try await trying(in: &trial) { run throws(StepFailure) in
      for step in steps { try await run.run(step) }
    }
    return isDone
      && trial.transcript.entries.allSatisfy { entry in
        if case .readMissing = entry.event { false } else { entry.event.failedUse == nil }
      }
  }

  /// The run in a model of its container, for a trial; a run without a container is one itself.
  private func simulatedCopy() -> ScenarioRun { container == nil ? run : run.simulatedCopy() }

  /// Does on a copy what the app may be unable to do; whether it could.
  private func trying(
    in trial: inout ScenarioRun, _ work: (inout ScenarioRun) async throws(StepFailure) -> Void
  ) async throws(Transcript.Failure) -> Bool {
    do throws(StepFailure) {
      return try await trial.succeeds(work)
    } catch {
      throw Transcript.Failure(error, at: trial.currentStep)
    }
  }

  /// The changes to the file system that the app makes in a step, its launch included, each by its
  /// place, until it fails; it is done on a copy.
  package func changes(
    in step: Scenario.Step
  ) async throws(Transcript.Failure) -> [(place: Int, point: Scenario.KillPoint)] {
    var trial = simulatedCopy()
    trial.changeLog = ChangeLog()
    _ = try await trying(in: &trial) { run throws(StepFailure) in try await run.run(step) }
    return (trial.changeLog?.points ?? []).enumerated().map { ($0, $1) }
  }

  /// What the code of the step that was done last has changed; nil if that was not seen.
  package var latestRecording: Recording? { run.latestRecording }

  /// Whether what is recorded of a step leads from this run's container, as it was when it was saved,
  /// to the one that the step left: the same items with the same contents, but for Foundation's own
  /// files.
  package func isFaithful(_ recording: Recording) throws(Transcript.Failure) -> Bool {
    guard let container else { return false }
    try goBack()
    let tree = try onDisk(try container.replayed(recording.changes))
    return tree.map { recording.firstDifference(from: $0) == nil } ?? false
  }

  /// Finds out what a step of code does without interruption, from here, where this run was saved. `recording` is
  /// what it changed when it was done.
  package func rehearse(
    _ step: Scenario.Step, _ recording: Recording
  ) async throws(Transcript.Failure) -> Rehearsal {
    try goBack()
    do throws(StepFailure) {
      return try await run.rehearse(step, known: recording)
    } catch {
      throw Transcript.Failure(error, at: step.reference)
    }
  }

  package var doesSomethingAtLaunch: Bool { run.startRunsCode || !run.scenario.launch.isEmpty }

  /// Takes up that the run is at its end: what is still wrong there is recorded.
  package mutating func noteEnd() async throws(Transcript.Failure) {
    do throws(StepFailure) {
      try run.noteKeptPaths()
      try await run.checkAppAtEnd()
    } catch {
      throw Transcript.Failure(error, at: run.currentStep)
    }
  }

  package mutating func endApp() { run.endApp() }
}
