import BackupCollections
import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFileTree

/// A scenario while it runs: the container, the device and the transcript so far.
struct ScenarioRun {
  @Boxed private(set) var simulators: Simulators
  var host: any AppHost
  var processes = RunningProcesses()
  var disk: any RunDisk
  /// The device, as the steps have left it.
  @Boxed var state: DeviceState
  /// What is kept on disk of the backups, by label, to restore them: the files, and their bytes.
  var archives: [String: (files: ContainerArchive?, bytes: Int64)] = [:]
  /// The backups whose files are kept, to restore them.
  var archived: ArchivedBackups
  var permissions: ScenarioRunner.Permissions = []
  var backupReader: BackupReader?
  /// What it has taken of the machine, without a limit in a test's session.
  var tally = ResourceTally()
  /// Whether marks that the app's code sets by Foundation are seen.
  var foundationMarks: @Sendable () -> FoundationMarks.Reach = { FoundationMarks.reach }
  var whenBackedUp:
    @Sendable (FakeContainer.Backup, Scenario.StepReference, FakeContainer) throws(RunError) ->
      Void = { _, _, _ throws(RunError) in }
  /// The circumstances of what happens now.
  var circumstances: Transcript.Entry.Circumstances = []
  /// The items that steps need to exist, other than to read them.
  let usedPaths: Set<ContainerPath>
  let usedDetails: DeviceState.Details
  /// The keychain items with which steps encrypt files.
  let sealingItems: Set<String>
  /// The number from which a session looks for a free one, by the label that several backups share.
  var nextNumbers: [String: Int] = [:]
  var currentStep: Scenario.StepReference
  /// The extension that does the current step; nil for the app.
  var currentExtension: String?
  var transcript: Transcript
  /// The files that the system took, or did not bring back, and that are still missing; each with whether
  /// the app has started since. It is no part of the state, since only advice depends on it, which
  /// exploration does not report.
  var takenFiles: [ContainerPath: Bool] = [:]
  /// The property lists of user defaults, with the steps that set their keys.
  var defaults: [ContainerPath: UserDefaultsHistory] = [:]
  /// What the system did last after which the app's own check runs, in words.
  var eventToCheck: String?
  /// The change before which the app is killed in the step that runs; nil for none.
  var kill: Scenario.KillPoint?
  /// The changes that the app's steps have made since this was asked for; nil where it was not.
  var changeLog: ChangeLog?
  /// What the code of the step that ran last has changed, where that is recorded.
  var latestRecording: Recording?
  /// The killed step of code without the kill, if it is known from before.
  var plannedRehearsal: Rehearsal?
  /// What `resumeApp` needs; nil if that is not kept.
  var sinceStart: SinceStart?
  /// The activity of simulated steps in which the app is killed, where that is known from before.
  var plannedActivity: InterruptedActivity?
  /// Whether the disk may hold what no step says: once the app's own code has acted, or a step of
  /// the kit's was done by half.
  var isDiskUncertain = false

  /// Prepares a run in a container that was just laid out as `firstTree`.
  init(
    _ scenario: Scenario, _ variant: Scenario.Variant, profile: SystemProfile,
    simulators: Simulators,
    host: any AppHost, disk: any RunDisk, firstTree: FileTree, firstStep: Scenario.StepReference
  ) {
    self.simulators = simulators
    self.host = host
    self.disk = disk
    self.state = DeviceState(profile, firstTree, appVersion: scenario.app.version)
    self.archived = .neededBySteps(
      Set((scenario.launch + scenario.steps).compactMap(\.action.neededLabel)))
    self.usedPaths = Set((scenario.launch + scenario.steps).compactMap(\.action.usedPath))
    self.sealingItems = scenario.sealingItems
    self.usedDetails = (scenario.launch + scenario.steps).reduce(into: []) { details, step in
      if step.appVersions != nil { details.insert(.appVersion) }
      if step.action.namesContainer { details.insert(.containerPath) }
    }
    self.currentStep = firstStep
    self.transcript = Transcript(scenario: scenario, variant: variant, firstTree: firstTree)
  }

  var scenario: Scenario { transcript.scenario }

  var variant: Scenario.Variant { transcript.variant }

  var profile: SystemProfile { state.system }

  /// The container as the steps have left it.
  var tree: FileTree { state.tree }

  /// The container as it is now; the disk is looked at only where it may hold something else than
  /// the steps say.
  func look() throws(StepFailure) -> FileTree {
    guard isDiskUncertain else { return tree }
    let found = try onDisk(try disk.scan(expecting: tree))
    return try onDisk(try disk.container?.summed(found, known: tree)) ?? found
  }

  /// Looks at the disk after the last step, and says what it should not hold.
  func requireDiskAsSteps() throws(StepFailure) {
    guard !isDiskUncertain else { return }
    let found = try onDisk(try disk.scan(expecting: tree))
    guard let path = tree.firstDifference(from: found) else { return }
    throw StepFailure(
      "'\(path)' must be \(tree.words(for: path)) after this step, but on disk it is "
        + "\(found.words(for: path)). Either another process writes into the temporary folder, "
        + "or this is a bug in the kit; please report it",
      .notAllowed)
  }

  var isRecording: Bool { disk.container?.isRecording == true }

  /// The directory of the container, in which code of the app's own runs.
  func directory() throws(StepFailure) -> FakeContainer {
    guard let container = disk.container else {
      throw StepFailure(
        "this run keeps no files on disk, so it cannot run the app's own code", .notAllowed
      )
    }
    return container
  }

  /// Records what happened, with the container afterwards; as the last entry left it without one.
  mutating func record(
    _ event: Transcript.Event, tree: FileTree? = nil,
    in more: Transcript.Entry.Circumstances = []
  ) throws(StepFailure) {
    let entry = Transcript.Entry(
      step: currentStep, event: event, tree: tree ?? self.tree, profile: profile,
      keychain: state.keychain,
      in: circumstances.union(more).union(currentExtension == nil ? [] : .inExtension))
    state.follow(entry, usedPaths: usedPaths)
    if let words = event.wordsBeforeCheck { noteEventToCheck(words) }
    if case .changes = event, eventToCheck != nil { state.app.traits.insert(.unchecked) }
    noteTakenFiles(entry)
    transcript.entries.append(entry)
    try noteDefaults(entry)
  }
}

/// The backups whose files a run keeps.
enum ArchivedBackups {
  case all
  /// Those whose labels steps need.
  case neededBySteps(Set<String>)

  func contains(_ label: String) -> Bool {
    switch self {
    case .all: true
    case .neededBySteps(let labels): labels.contains(label)
    }
  }
}

/// The run since the app last started.
struct SinceStart {
  /// The run before the step in which the app started, in an array because a struct cannot contain itself;
  /// empty before a start.
  var before: [ScenarioRun] = []
  var steps: [Scenario.Step] = []
}

/// Does something with a container; an error of the disk's fails the step.
func onDisk<Result>(
  _ work: @autoclosure () throws(RunError) -> Result
) throws(StepFailure) -> Result {
  do throws(RunError) {
    return try work()
  } catch {
    throw StepFailure(error)
  }
}

extension ScenarioRun {
  /// Tries something that the app may be unable to do, up to where that fails.
  ///
  /// - Returns: Whether it was done.
  /// - Throws: ``StepFailure`` if it is the machine's fault that it was not.
  mutating func succeeds(
    _ work: (inout ScenarioRun) async throws(StepFailure) -> Void
  ) async throws(StepFailure) -> Bool {
    do throws(StepFailure) {
      try await work(&self)
      return true
    } catch {
      if error.outcome == .machineFault { throw error }
      return false
    }
  }
}

/// What a look at the disk finds; nil if that refuses it.
///
/// - Throws: ``StepFailure`` if it is the machine's fault.
func unlessRefused<Result>(
  _ look: @autoclosure () throws(RunError) -> Result?
) throws(StepFailure) -> Result? {
  do throws(RunError) {
    return try look()
  } catch {
    if error.isMachineFault { throw StepFailure(error) }
    return nil
  }
}
