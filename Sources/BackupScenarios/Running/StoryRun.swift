import BackupContainer
package import BackupDevice
import BackupDiagnostics
import BackupFileTree

/// A run step by step, to go on from in several ways.
///
/// Without a disk it is a value, so that a copy of it goes its own way. With one all copies have the
/// same container: of a copy that ``saved()`` makes, ``goBack()`` makes it what it was.
package struct StoryRun: Sendable {
  /// The run.
  private var run: ScenarioRun
  /// The container, which goes with the last copy; nil for a run without a disk.
  private let container: FakeContainer?
  /// When the last step was done: until a copy goes on, others take their time.
  private var rest: Duration

  /// A run that has begun.
  init(_ run: ScenarioRun, in container: FakeContainer?) {
    self.run = run
    self.container = container
    self.rest = run.tally.now
  }

  /// A run that has yet to begin.
  ///
  /// - Parameters:
  ///   - scenario: The scenario.
  ///   - variant: The system and backup kind.
  ///   - device: The functions that act for the system.
  ///   - limits: The most that it may take of the machine.
  /// - Throws: ``RunError`` where there is no such system.
  package init(
    _ scenario: Scenario, _ variant: Scenario.Variant, device: RunBehaviour = .standard,
    limits: Scenario.RunLimits = Scenario.RunLimits()
  ) throws(RunError) {
    let profile = try device.profile(of: scenario, variant)
    let layout = profile.layout(of: scenario.app)
    var run = ScenarioRun(
      scenario, variant, profile: profile, device: device, host: GuestHost(AppActions()),
      disk: ModelDisk(), firstTree: layout.tree, firstStep: scenario.firstStep)
    run.tally = ResourceTally(limits)
    run.tally.items = layout.tree.amount.items
    self.init(run, in: nil)
  }

  /// Whether it is a value: it has no container, and runs no code of the app's own.
  package var isValue: Bool { container == nil }

  /// What happened so far.
  package var transcript: Transcript {
    guard container != nil else { return run.transcript }
    var settled = run
    settled.settleFoundationMarks()
    return settled.transcript
  }

  /// A copy that goes on from here whatever becomes of this run, in which the app's process is not
  /// there any more; its container is kept.
  ///
  /// - Throws: ``StoryEnd`` where it cannot be.
  package func saved() throws(StoryEnd) -> StoryRun {
    var copy = self
    copy.run.leaveApp()
    copy.run.disk = try onDisk(try run.disk.saved())
    return copy
  }

  /// Makes the container what it was when this copy was saved.
  ///
  /// - Throws: ``StoryEnd`` where the disk refuses.
  package func goBack() throws(StoryEnd) {
    try onDisk(try run.disk.goBack())
    try onDisk(try run.disk.adopt(run.profile))
  }

  /// Does something with the disk; an error of its ends the story.
  private func onDisk<Result>(
    _ work: @autoclosure () throws(FakeContainerError) -> Result
  ) throws(StoryEnd) -> Result {
    do throws(FakeContainerError) {
      return try work()
    } catch {
      throw StoryEnd(step: run.currentStep, message: error.description)
    }
  }

  /// The version of the app.
  package var appVersion: String { run.appVersion }

  /// The system now.
  package var system: SystemVersion { run.profile.version }

  /// Does a step, unless it is for other systems.
  ///
  /// - Parameters:
  ///   - step: A step of the scenario, or of one like it.
  ///   - recording: What the step would change, where it is one in which the app's own code is killed;
  ///     nil to see.
  ///   - keepsBackups: Whether what a backup holds may be restored though no step of the scenario does.
  /// - Throws: ``StoryEnd`` where it fails in a way that it does not say.
  package mutating func perform(
    _ step: Scenario.Step, as recording: Recording? = nil, keepingBackups keepsBackups: Bool = false
  ) async throws(StoryEnd) {
    run.plannedRecording = recording
    run.archivesEveryBackup = keepsBackups
    run.tally.exempting(rest)
    defer {
      rest = run.tally.now
      run.archivesEveryBackup = false
    }
    do throws(StepFailure) {
      try await run.run(step)
    } catch {
      throw StoryEnd(
        step: run.currentStep, message: error.description,
        cause: error.isOfCode
          ? .code : error.canBeExpected || error.isImpossible ? .step : .machine,
        isReportedByRule: error.isReportedByRule)
    }
  }

  /// The changes to the file system that the app makes in a step, its launch included.
  ///
  /// - Parameter step: The step, which is done on a copy.
  /// - Returns: The changes, in order, until the step fails.
  package func changes(in step: Scenario.Step) async -> [Scenario.KillPoint] {
    var trial = run
    if container != nil {
      trial.disk = ModelDisk(over: run.disk)
      trial.isDiskUncertain = false
    }
    trial.changeLog = ChangeLog()
    _ = try? await trial.run(step)
    return trial.changeLog?.points ?? []
  }

  /// What the code of the step that was done last has changed; nil where nobody has seen it.
  package var latestRecording: Recording? { run.latestRecording }

  /// Whether what is recorded of a step leads from this run's container, as it was when it was saved,
  /// to the one that the step left.
  ///
  /// - Parameter recording: What was recorded of the step that comes next.
  /// - Returns: Whether both have the same items with the same contents; Foundation's own files may
  ///   differ.
  /// - Throws: ``StoryEnd`` where the disk refuses.
  package func isFaithful(_ recording: Recording) throws(StoryEnd) -> Bool {
    guard let container else { return false }
    try goBack()
    let tree = try onDisk(try container.replayed(recording.changes))
    return tree.map { recording.firstDifference(from: $0) == nil } ?? false
  }

  /// Whether the system has just ended the app, for want of storage, and found nothing to take.
  package var hasPurgedNothing: Bool {
    run.transcript.entries.last?.event.hasPurgedNothing == true
  }

  /// Whether a start of the app's does anything.
  package var doesSomethingAtLaunch: Bool {
    run.host.runsCodeAtLaunch || !run.scenario.launch.isEmpty
  }

  /// Goes to the end of the story, and ends the app.
  package mutating func end() {
    goToEnd()
    run.endApp()
  }

  /// Goes to the end of the story; the app goes on.
  package mutating func goToEnd() { run.noteStaleLinks() }

  /// Whether the app runs.
  package var isAppRunning: Bool { run.isAppRunning }

  /// Ends the app's process, if there is one.
  package mutating func endApp() { run.endApp() }

  /// What the container held when each backup was taken that a step restores, by its label.
  package var backups: [String: ContainerState] {
    run.backups.filter { run.neededLabels.contains($0.key) }
      .mapValues { ContainerState($0.backup.tree) }
  }

  /// Whether a step restores the backup of a label.
  package func restoresBackup(_ label: String) -> Bool { run.neededLabels.contains(label) }

  /// The container and the device, as far as a run knows them.
  package var place: Place {
    Place(
      container: ContainerState(run.transcript.lastTree), memory: run.memory,
      system: run.profile.version,
      isAppRunning: run.isAppRunning, isOffloaded: run.isOffloaded,
      isKeychainKept: run.keychain == .kept, hasRunInContainer: run.hasRunInContainer,
      hasMoved: run.disk.hasMoved, hasAppRun: run.hasAppRun)
  }

  /// Two runs in the same place, with the same backups and version of the app, go on alike.
  package struct Place: Hashable, Sendable {
    /// What the container holds.
    package let container: ContainerState
    /// What the app's process may remember.
    let memory: AppMemory
    /// The system.
    package let system: SystemVersion
    /// Whether the app runs.
    package let isAppRunning: Bool
    /// Whether it is off the device.
    let isOffloaded: Bool
    /// Whether its keychain is there.
    let isKeychainKept: Bool
    /// Whether it has run in this container.
    let hasRunInContainer: Bool
    /// Whether it had others before.
    let hasMoved: Bool
    /// Whether it has run since it was restored, updated or put on another system.
    let hasAppRun: Bool
  }
}

extension Transcript.Event {
  /// Whether the system has ended the app, for want of storage, and found nothing to take.
  package var hasPurgedNothing: Bool {
    if case .purge(_, taken: let taken) = self { taken.isEmpty } else { false }
  }
}

/// Why a story does not go on.
package struct StoryEnd: Error, Sendable {
  /// The step that failed.
  package let step: Scenario.StepReference
  /// Why.
  package let message: String
  /// What has failed.
  package var cause = Cause.machine
  /// Whether a rule finds it too.
  package var isReportedByRule = false

  /// What a story may end by.
  package enum Cause: Hashable, Sendable {
    /// Code of the app's own.
    case code
    /// A simulated step, which is not possible as things are.
    case step
    /// The machine, or the story itself, such as by a limit.
    case machine
  }
}

extension StoryEnd {
  /// A story that ends for a reason of its teller's.
  package init(at step: Scenario.StepReference, _ message: String) {
    self.init(step: step, message: message, cause: .step)
  }
}
