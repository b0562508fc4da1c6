package import BackupCollections
import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFileTree

/// A scenario while it runs: the device, the disk, the app's processes and the transcript so far.
///
/// Without a directory, a run is a value, so each copy continues independently. Copies with a directory share the
/// directory: ``goBack()`` returns it to its state at ``saved()``.
package struct ScenarioRun: Sendable {
  /// The settings of the run: the simulators, the app's code, permissions and limits.
  @Boxed var runner: ScenarioRunner
  /// The facts that the scenario's steps use.
  @Boxed private(set) var uses: StepUses
  @Boxed package internal(set) var device: Device
  var disk: any RunDisk
  var processes = RunningProcesses()
  /// The files of the backups on disk, with their size in bytes, by label.
  var archives: [String: (files: ContainerArchive?, bytes: Int64)] = [:]
  var archived: ArchivedBackups
  /// The work that the run has done and the bytes that it has used.
  var tally: ResourceTally
  package internal(set) var currentStep: Scenario.StepReference
  /// The extension that performs the current step; nil for the app.
  var currentExtension: String?
  /// The circumstances of the current events.
  var circumstances: Transcript.Entry.Circumstances = []
  package internal(set) var transcript: Transcript
  /// The interruption of the current step.
  var interruption = PlannedInterruption()
  /// The changes by the app's code in the latest step; nil if they are not recorded.
  package internal(set) var latestRecording: Recording?
  /// The point from which `resumeApp` repeats the steps; nil if the run does not keep it.
  var launchCheckpoint: LaunchCheckpoint?
  /// The facts that findings and advice name. No later step depends on them, so they are not in the device.
  var notes = RunNotes()
  /// True if the disk may differ from the tree, because the app's own code has run or an operation of the kit has
  /// failed.
  var isDiskUncertain = false

  /// Creates a run in a new container with the contents `firstTree`.
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

  /// The container as the recorded events left it.
  var tree: FileTree { device.tree }

  /// Returns the container as it is now. Scans the disk only if it may differ from the tree.
  func currentTree() throws(StepFailure) -> FileTree {
    guard isDiskUncertain else { return tree }
    let found = try failingStep(try disk.scan(expecting: tree))
    return try failingStep(try disk.container?.summed(found, known: tree)) ?? found
  }

  /// Requires after the last step that a disk on which no code has run is equal to the tree.
  func requireDiskEqualsTree() throws(StepFailure) {
    guard !isDiskUncertain else { return }
    let found = try failingStep(try disk.scan(expecting: tree))
    guard let path = tree.firstDifference(from: found) else { return }
    throw StepFailure(
      "'\(path)' must be \(tree.words(for: path)) after this step, but on disk it is "
        + "\(found.words(for: path)). Either another process writes into the temporary folder, "
        + "or this is a bug in the kit; please report it",
      .notAllowed)
  }

  var isRecording: Bool { disk.container?.isRecording == true }

  /// Returns the directory of the container, in which the app's own code runs.
  func directory() throws(StepFailure) -> FakeContainer {
    guard let container = disk.container else {
      throw StepFailure(
        "this run keeps no files on disk, so it cannot run the app's own code", .notAllowed
      )
    }
    return container
  }

  /// Records an event, with the container after it: `tree`, or the unchanged container.
  mutating func record(
    _ event: Transcript.Event, tree: FileTree? = nil,
    in more: Transcript.Entry.Circumstances = []
  ) throws(StepFailure) {
    let entry = Transcript.Entry(
      step: currentStep, event: event, tree: tree ?? self.tree, profile: profile,
      keychain: device.keychain,
      in: circumstances.union(more).union(currentExtension == nil ? [] : .inExtension))
    device.absorb(entry, usedPaths: uses.paths)
    if let words = event.wordsBeforeCheck { scheduleCheck(after: words) }
    if case .changes = event, notes.uncheckedEvent != nil { device.app.traits.insert(.unchecked) }
    notes.updateTakenFiles(after: entry)
    transcript.entries.append(entry)
    try updateDefaultsHistory(after: entry)
  }
}

/// The facts that steps of a scenario use, collected once.
struct StepUses: Sendable {
  /// The items that steps use other than by reading them.
  let paths: Set<ContainerPath>
  /// The items that steps create, and that must be missing before.
  let newPaths: Set<ContainerPath>
  let details: Device.Details
  /// The keychain items with which steps encrypt files.
  let sealingItems: Set<String>
  /// The labels of the backups that steps restore or compare with.
  let labels: Set<String>

  init(of scenario: Scenario) {
    let steps = scenario.launch + scenario.steps
    self.paths = Set(steps.compactMap(\.action.usedPath))
    self.newPaths = Set(steps.compactMap(\.action.newPath))
    self.labels = Set(steps.compactMap(\.action.neededLabel))
    self.sealingItems = scenario.sealingItems
    let savedFiles = Set(steps.compactMap(\.action.savedFile))
    let named = paths.union(newPaths).union(savedFiles).union(steps.compactMap(\.readPath))
    let namesRemnant = named.contains(where: SystemProfile.RemnantPattern.atomicSave.matches)
    self.details = steps.reduce(into: namesRemnant ? .remnants : []) { details, step in
      if let source = step.action.replacingItem, !savedFiles.contains(source) {
        details.insert(.remnants)
      }
      if step.appVersions != nil { details.insert(.appVersion) }
      if step.action.namesContainer { details.insert(.containerPath) }
      if step.mayThrow { details.insert(.mayThrow) }
    }
  }
}

/// The backups whose files a run keeps on disk.
enum ArchivedBackups {
  case all
  case neededBySteps
  case none
}

/// The interruption of a step, and the results of earlier runs that exploration passes on.
struct PlannedInterruption: Sendable {
  /// The change before which the app is killed; nil for none.
  var kill: Scenario.KillPoint?
  /// The changes of the app's steps since the log began; nil if nothing is logged.
  var log: ChangeLog?
  /// The rehearsal of the interrupted step of code, if an earlier run made one.
  var rehearsal: Rehearsal?
  /// The interrupted activity of simulated steps, if an earlier run recorded it.
  var activity: InterruptedActivity?
}

/// The facts about a run that its findings and advice name.
struct RunNotes: Sendable {
  /// The files that iOS took or did not restore, and that are still missing. The value is true if the app has
  /// started since.
  var takenFiles: [ContainerPath: Bool] = [:]
  /// The property lists of user defaults, with the steps that set their keys.
  var defaults: [ContainerPath: UserDefaultsHistory] = [:]
  /// The latest event after which the app's own check is due, in words.
  var uncheckedEvent: String?
}

/// The run before the app's latest start, and the steps since.
struct LaunchCheckpoint {
  /// The run before the step that started the app, in an array because a struct cannot contain itself; empty
  /// before a start.
  var before: [ScenarioRun] = []
  var steps: [Scenario.Step] = []
}

/// Performs work on a container. An error of the disk fails the step.
func failingStep<Result>(
  _ work: @autoclosure () throws(RunError) -> Result
) throws(StepFailure) -> Result {
  do throws(RunError) {
    return try work()
  } catch {
    throw StepFailure(error)
  }
}

extension ScenarioRun {
  /// Performs work of the app until it fails, if it does.
  ///
  /// - Returns: True if the work succeeded.
  /// - Throws: ``StepFailure`` for a fault of the machine.
  mutating func attempt(
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

/// Returns the result of reading the disk; nil if the disk refuses it.
///
/// - Throws: ``StepFailure`` for a fault of the machine.
func unlessRefused<Result>(
  _ read: @autoclosure () throws(RunError) -> Result?
) throws(StepFailure) -> Result? {
  do throws(RunError) {
    return try read()
  } catch {
    if error.isMachineFault { throw StepFailure(error) }
    return nil
  }
}
