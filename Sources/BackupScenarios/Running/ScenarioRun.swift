package import BackupCollections
import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFileTree

/// A scenario while it runs: the device, the disk, the app's processes and the transcript so far.
///
/// Without a directory it is a value, so that each copy goes on by itself. Copies with a directory share it:
/// ``goBack()`` sets it back to its state at ``saved()``.
package struct ScenarioRun: Sendable {
  /// The settings of the run: the simulators, the app's code, permissions and limits.
  @Boxed var runner: ScenarioRunner
  /// The facts that the scenario's steps use.
  @Boxed private(set) var uses: StepUses
  @Boxed package internal(set) var device: Device
  var disk: any RunDisk
  var processes = RunningProcesses()
  /// The files of the backups on disk, by label, with the bytes that they take there.
  var archives: [String: (files: ContainerArchive?, bytes: Int64)] = [:]
  var archived: ArchivedBackups
  /// The work and the bytes so far.
  var tally: ResourceTally
  package internal(set) var currentStep: Scenario.StepReference
  /// The extension that does the current step; nil for the app.
  var currentExtension: String?
  /// The circumstances of the current events.
  var circumstances: Transcript.Entry.Circumstances = []
  package internal(set) var transcript: Transcript
  /// The interruption that the current step meets.
  var interruption = PlannedInterruption()
  /// The changes by the app's code in the latest step; nil if they are not recorded.
  package internal(set) var latestRecording: Recording?
  /// The point from which `resumeApp` repeats the steps; nil if it is not kept.
  var launchCheckpoint: LaunchCheckpoint?
  /// Facts that findings and advice name. No later step depends on them, so the device lacks them.
  var notes = RunNotes()
  /// True if the disk may differ from the tree: the app's own code has acted, or a step of the kit was done by
  /// half.
  var isDiskUncertain = false

  /// Prepares a run in a container that was just laid out as `firstTree`.
  init(
    _ scenario: Scenario, _ variant: Scenario.Variant, profile: SystemProfile,
    by runner: ScenarioRunner,
    disk: any RunDisk, firstTree: FileTree, firstStep: Scenario.StepReference
  ) {
    self.runner = runner
    self.disk = disk
    self.device = Device(profile, firstTree, appVersion: scenario.app.version)
    self.uses = StepUses(of: scenario)
    self.archived = .neededBySteps
    self.tally = ResourceTally(limits: runner.limits)
    self.currentStep = firstStep
    self.transcript = Transcript(scenario: scenario, variant: variant, firstTree: firstTree)
  }

  var scenario: Scenario { transcript.scenario }

  package var variant: Scenario.Variant { transcript.variant }

  var profile: SystemProfile { device.system }

  /// The container as the steps have left it.
  var tree: FileTree { device.tree }

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
      keychain: device.keychain,
      in: circumstances.union(more).union(currentExtension == nil ? [] : .inExtension))
    device.absorb(entry, usedPaths: uses.paths)
    if let words = event.wordsBeforeCheck { noteEventToCheck(words) }
    if case .changes = event, notes.eventToCheck != nil { device.app.traits.insert(.unchecked) }
    notes.noteTakenFiles(entry)
    transcript.entries.append(entry)
    try noteDefaults(entry)
  }
}

/// The facts that steps of a scenario use, collected once.
struct StepUses: Sendable {
  /// The items that steps need to exist, other than to read them.
  let paths: Set<ContainerPath>
  let details: Device.Details
  /// The keychain items with which steps encrypt files.
  let sealingItems: Set<String>
  /// The labels of the backups that steps restore or compare with.
  let labels: Set<String>

  init(of scenario: Scenario) {
    let steps = scenario.launch + scenario.steps
    self.paths = Set(steps.compactMap(\.action.usedPath))
    self.labels = Set(steps.compactMap(\.action.neededLabel))
    self.sealingItems = scenario.sealingItems
    self.details = steps.reduce(into: []) { details, step in
      if step.appVersions != nil { details.insert(.appVersion) }
      if step.action.namesContainer { details.insert(.containerPath) }
    }
  }
}

/// The backups whose files a run keeps on disk.
enum ArchivedBackups {
  case all
  case neededBySteps
  case none
}

/// The interruption that a step meets, and the results of earlier runs that exploration passes on.
struct PlannedInterruption: Sendable {
  /// The change before which the app is killed; nil for none.
  var kill: Scenario.KillPoint?
  /// The changes of the app's steps since the log began; nil if nothing is logged.
  var log: ChangeLog?
  /// The killed step of code without the kill, if it is known from before.
  var rehearsal: Rehearsal?
  /// The activity of simulated steps in which the app is killed, if it is known from before.
  var activity: InterruptedActivity?
}

/// Facts about a run that its findings and advice name.
struct RunNotes: Sendable {
  /// The files that the system took, or did not restore, and that are still missing. The value is true if the
  /// app has started since.
  var takenFiles: [ContainerPath: Bool] = [:]
  /// The property lists of user defaults, with the steps that set their keys.
  var defaults: [ContainerPath: UserDefaultsHistory] = [:]
  /// The latest event of the system after which the app's own check runs, in words.
  var eventToCheck: String?
}

/// The run since the app last started.
struct LaunchCheckpoint {
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
