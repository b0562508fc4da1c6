import BackupCollections
import BackupContainer
package import BackupDiagnostics
package import BackupFileTree

/// Exploration performs a run step by step, and continues copies of the run in different ways.
extension ScenarioRun {
  /// Begins a run without a directory. `runner` must have no code of the app.
  package init(
    simulating scenario: Scenario, _ variant: Scenario.Variant, by runner: ScenarioRunner
  ) throws(RunError) {
    let profile = try runner.simulators.profile(of: scenario, variant)
    self.init(
      scenario, variant, profile: profile, by: runner, disk: ModelDisk(),
      firstTree: profile.layout(of: scenario.app).tree, firstStep: scenario.firstStep)
  }

  /// True if the run has no directory on disk. Such a run executes none of the app's own code.
  package var isSimulated: Bool { disk.container == nil }

  /// True if the app may find the temporary file that a killed save left. Runs with and without
  /// this file then differ.
  package var mayFindRemnants: Bool { !isSimulated || stepUses.deviceFacts.contains(.remnants) }

  /// Returns the device without the facts that no later step depends on.
  ///
  /// `labels` has the backups that later steps restore. `remnants` has the temporary files of
  /// killed saves. The result leaves these files out.
  package func reducedDevice(
    restoring labels: Set<String>, without remnants: Set<ContainerPath>
  ) -> Device {
    var reducedDevice = device.reduced(
      restoring: labels, without: remnants, runsCode: !isSimulated, keeping: stepUses)
    if isSimulated || !runner.host.mayHaveCheck { reducedDevice.app.traits.remove(.checkIsDue) }
    return reducedDevice
  }

  /// True if a step runs only with some versions of the app.
  package var usesAppVersions: Bool { stepUses.deviceFacts.contains(.appVersion) }

  /// True if the run keeps its state before the app's latest launch, and the steps since. A step
  /// with full storage needs both, because a new process first repeats these steps.
  package var keepsLaunchHistory: Bool {
    get { launchHistory != nil }
    set {
      let keepsHistory = !isSimulated && (newValue || scenario.fillsStorage)
      launchHistory = keepsHistory ? launchHistory ?? LaunchHistory() : nil
    }
  }

  /// The transcript, with the modules in which the kit sees the marks that code sets with
  /// Foundation.
  package var transcriptWithShimModules: Transcript {
    guard !isSimulated else { return transcript }
    var run = self
    run.recordWhereMarksAreSeen()
    return run.transcript
  }

  /// Removes the entries from the transcript, and returns them.
  package mutating func takeEntries() -> [Transcript.Entry] {
    defer { transcript.entries = [] }
    return transcript.entries
  }

  /// Returns a copy that can continue from here, even after this run has continued. The copy has a
  /// saved container, but no process of the app.
  package func saved() throws(Transcript.Failure) -> ScenarioRun {
    var savedRun = self
    savedRun.processes.removeAll()
    savedRun.disk = try failingRunOnError(try disk.saved())
    return savedRun
  }

  /// Resets the container to its state when this copy was saved.
  package func resetContainer() throws(Transcript.Failure) {
    try failingRunOnError(try disk.goBack())
    try failingRunOnError(try disk.container?.configure(profile))
  }

  package var savedByteCount: Int { disk.container.map { Int($0.savedCopiesByteCount) } ?? 0 }

  /// Performs work on the disk. Turns an error of this work into the failure of the run at the
  /// current step.
  private func failingRunOnError<Result>(
    _ work: @autoclosure () throws(RunError) -> Result
  ) throws(Transcript.Failure) -> Result {
    do throws(RunError) {
      return try work()
    } catch {
      throw Transcript.Failure(StepFailure(error), at: currentStep)
    }
  }

  /// Performs a step, unless the step is skipped, for example because it is for other iOS versions.
  ///
  /// - Parameters:
  ///   - step: The step.
  ///   - rehearsal: The rehearsal of an interrupted step of the app's own code; nil if the run
  ///     rehearses the step first.
  ///   - keepsBackups: True if the run keeps the files of a backup even if no step restores the
  ///     backup.
  /// - Throws: ``Transcript/Failure`` of the step.
  package mutating func perform(
    _ step: Scenario.Step, as rehearsal: Rehearsal? = nil, keepingBackups keepsBackups: Bool = false
  ) async throws(Transcript.Failure) {
    interruption.rehearsal = rehearsal
    let formerPolicy = archivePolicy
    if keepsBackups { archivePolicy = .all }
    defer { archivePolicy = formerPolicy }
    do throws(StepFailure) {
      try await run(step)
    } catch {
      throw Transcript.Failure(error, at: currentStep)
    }
  }

  /// Performs simulated steps in a model, and keeps the resulting activity for later kills within
  /// these steps.
  package mutating func planActivity(
    of steps: [Scenario.Step]
  ) async throws(Transcript.Failure) {
    guard case .step(let firstNumber)? = steps.first?.reference.number,
      case .step(let lastNumber)? = steps.last?.reference.number
    else { return }
    do throws(StepFailure) {
      interruption.activity = try await activity(
        of: steps, numbered: firstNumber...lastNumber, after: tree)
    } catch {
      throw Transcript.Failure(error, at: steps[0].reference)
    }
  }

  /// Returns true if the app can perform simulated steps from here, and finds all items that it
  /// uses.
  package func canPerform(
    _ steps: some Sequence<Scenario.Step>
  ) async throws(Transcript.Failure) -> Bool {
    var trial = trialCopy()
    let succeeded = try await attempt(in: &trial) { run throws(StepFailure) in
      for step in steps { try await run.run(step) }
    }
    return succeeded
      && trial.transcript.entries.allSatisfy { entry in
        if case .readMissing = entry.event { false } else { entry.event.failedUseReason == nil }
      }
  }

  /// Returns a copy for a trial. The copy changes only a model of the container.
  private func trialCopy() -> ScenarioRun { isSimulated ? self : simulatedCopy() }

  /// Performs work of the app on a copy, and returns true if it succeeded.
  private func attempt(
    in trial: inout ScenarioRun, _ work: (inout ScenarioRun) async throws(StepFailure) -> Void
  ) async throws(Transcript.Failure) -> Bool {
    do throws(StepFailure) {
      return try await trial.attempt(work)
    } catch {
      throw Transcript.Failure(error, at: trial.currentStep)
    }
  }

  /// Performs a step on a copy, and returns the step's crash points. If the step fails, returns the
  /// crash points before the failure. The changes of a launch in the step are crash points too.
  /// `pointIndex` counts the changes from 0.
  package func crashPoints(
    in step: Scenario.Step
  ) async throws(Transcript.Failure) -> [(pointIndex: Int, point: Scenario.InterruptionPoint)] {
    var trial = trialCopy()
    trial.interruption.log = ChangeLog()
    _ = try await attempt(in: &trial) { run throws(StepFailure) in try await run.run(step) }
    return (trial.interruption.log?.crashPoints ?? []).enumerated().map { ($0, $1) }
  }

  /// Returns true if a replay of the recorded changes turns this run's saved container into the
  /// container after the step.
  package func isReplayable(_ recording: Recording) throws(Transcript.Failure) -> Bool {
    guard let container = disk.container else { return false }
    try resetContainer()
    let tree = try failingRunOnError(try container.replayed(recording.changes))
    return tree.map { recording.firstDifference(from: $0) == nil } ?? false
  }

  /// Rehearses a step of the app's own code from this run's saved container. `recording` is the
  /// recording of an earlier run of the step from the same container.
  package func rehearse(
    _ step: Scenario.Step, _ recording: Recording
  ) async throws(Transcript.Failure) -> Rehearsal {
    try resetContainer()
    do throws(StepFailure) {
      return try await rehearse(step, comparingWith: recording)
    } catch {
      throw Transcript.Failure(error, at: step.reference)
    }
  }

  package var doesSomethingAtLaunch: Bool { launchRunsCode || !scenario.launch.isEmpty }

  /// Records links and stored paths that lead nowhere at the end of the run, or would after an
  /// update or a restore. Then runs the app's own check.
  package mutating func performFinalChecks() async throws(Transcript.Failure) {
    do throws(StepFailure) {
      try recordUnsafeReferences()
      try await checkAppAtEnd()
    } catch {
      throw Transcript.Failure(error, at: currentStep)
    }
  }
}
