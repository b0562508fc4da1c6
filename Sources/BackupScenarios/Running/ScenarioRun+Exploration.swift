import BackupCollections
import BackupContainer
package import BackupDiagnostics
import BackupFileTree

/// The run as exploration uses it: step by step, with copies that continue in several ways.
extension ScenarioRun {
  /// Begins a run without a directory, by a runner without code of the app's own.
  package init(
    simulating scenario: Scenario, _ variant: Scenario.Variant, by runner: ScenarioRunner
  ) throws(RunError) {
    let profile = try runner.simulators.profile(of: scenario, variant)
    self.init(
      scenario, variant, profile: profile, by: runner, disk: ModelDisk(),
      firstTree: profile.layout(of: scenario.app).tree, firstStep: scenario.firstStep)
  }

  /// True if it has no directory, and runs no code of the app's own.
  package var isSimulated: Bool { disk.container == nil }

  /// The device without the facts on which no later step depends.
  package func reducedDevice(restoring labels: Set<String>) -> Device {
    var reduced = device.reduced(
      restoring: labels, runsCode: !isSimulated, besides: uses.details)
    if isSimulated || !runner.host.mayCheck { reduced.app.traits.remove(.unchecked) }
    return reduced
  }

  /// Whether a step is only for some versions of the app.
  package var usesAppVersions: Bool { uses.details.contains(.appVersion) }

  /// Whether the run keeps what it needs to do the steps since the app's start again, for full storage.
  package var keepsStart: Bool {
    get { launchCheckpoint != nil }
    set {
      let isKept = !isSimulated && (newValue || scenario.fillsStorage)
      launchCheckpoint = isKept ? launchCheckpoint ?? LaunchCheckpoint() : nil
    }
  }

  /// The transcript, with the modules in which marks by Foundation are seen.
  package var settledTranscript: Transcript {
    guard !isSimulated else { return transcript }
    var settled = self
    settled.settleFoundationMarks()
    return settled.transcript
  }

  /// Takes the entries of what has happened, which are kept nowhere else.
  package mutating func takeEntries() -> [Transcript.Entry] {
    defer { transcript.entries = [] }
    return transcript.entries
  }

  /// A copy that goes on from here whatever becomes of this run. It has no process of the app's, and
  /// its container is kept.
  package func saved() throws(Transcript.Failure) -> ScenarioRun {
    var copy = self
    copy.processes.leave()
    copy.disk = try failing(try disk.saved())
    return copy
  }

  /// Makes the container what it was when this copy was saved.
  package func goBack() throws(Transcript.Failure) {
    try failing(try disk.goBack())
    try failing(try disk.container?.adopt(profile))
  }

  package var savedBytes: Int { disk.container.map { Int($0.bytesOfSaved) } ?? 0 }

  /// Does something with the disk. Its error ends the run at the current step.
  private func failing<Result>(
    _ work: @autoclosure () throws(RunError) -> Result
  ) throws(Transcript.Failure) -> Result {
    do throws(RunError) {
      return try work()
    } catch {
      throw Transcript.Failure(StepFailure(error), at: currentStep)
    }
  }

  /// Does a step, unless it is for other systems. `rehearsal` is what a step does in which the app's own
  /// code is killed, nil to find out; `keepsBackups` if a backup may be restored though no step does.
  package mutating func perform(
    _ step: Scenario.Step, as rehearsal: Rehearsal? = nil, keepingBackups keepsBackups: Bool = false
  ) async throws(Transcript.Failure) {
    interruption.rehearsal = rehearsal
    let formerly = archived
    if keepsBackups { archived = .all }
    defer { archived = formerly }
    do throws(StepFailure) {
      try await run(step)
    } catch {
      throw Transcript.Failure(error, at: currentStep)
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
      interruption.activity = try await activity(of: steps, numbered: first...last, after: tree)
    } catch {
      throw Transcript.Failure(error, at: steps[0].reference)
    }
  }

  /// Whether steps of the app's that are simulated can be done from here.
  package func canPerform(
    _ steps: some Sequence<Scenario.Step>
  ) async throws(Transcript.Failure) -> Bool {
    var trial = trialCopy()
    let isDone = try await trying(in: &trial) { run throws(StepFailure) in
      for step in steps { try await run.run(step) }
    }
    return isDone
      && trial.transcript.entries.allSatisfy { entry in
        if case .readMissing = entry.event { false } else { entry.event.failedUse == nil }
      }
  }

  /// A copy for a trial, in a model of the container.
  private func trialCopy() -> ScenarioRun { isSimulated ? self : simulatedCopy() }

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
    var trial = trialCopy()
    trial.interruption.log = ChangeLog()
    _ = try await trying(in: &trial) { run throws(StepFailure) in try await run.run(step) }
    return (trial.interruption.log?.points ?? []).enumerated().map { ($0, $1) }
  }

  /// Whether what is recorded of a step leads from this run's container, as it was when it was saved,
  /// to the one that the step left: the same items with the same contents, but for Foundation's own
  /// files.
  package func isFaithful(_ recording: Recording) throws(Transcript.Failure) -> Bool {
    guard let container = disk.container else { return false }
    try goBack()
    let tree = try failing(try container.replayed(recording.changes))
    return tree.map { recording.firstDifference(from: $0) == nil } ?? false
  }

  /// Finds out what a step of code does without interruption, from here, where this run was saved. `recording` is
  /// what it changed when it was done.
  package func rehearse(
    _ step: Scenario.Step, _ recording: Recording
  ) async throws(Transcript.Failure) -> Rehearsal {
    try goBack()
    do throws(StepFailure) {
      return try await rehearse(step, known: recording)
    } catch {
      throw Transcript.Failure(error, at: step.reference)
    }
  }

  package var doesSomethingAtLaunch: Bool { startRunsCode || !scenario.launch.isEmpty }

  /// Takes up that the run is at its end: what is still wrong there is recorded.
  package mutating func noteEnd() async throws(Transcript.Failure) {
    do throws(StepFailure) {
      try noteKeptPaths()
      try await checkAppAtEnd()
    } catch {
      throw Transcript.Failure(error, at: currentStep)
    }
  }
}
