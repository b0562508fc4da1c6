package import BackupCollections
import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFileTree

/// A scenario while it runs: the device, the disk, the app's processes and the transcript so far.
///
/// Without a directory on disk, a run is a value, so each copy continues independently. Copies of a
/// run with a directory share the directory. ``saved()`` keeps the state of the directory, and
/// ``goBack()`` returns to this state.
package struct ScenarioRun: Sendable {
  /// The settings of the run: the simulators, the app's code, permissions and limits.
  @Boxed var runner: ScenarioRunner
  /// The items, backups and facts that the scenario's steps use.
  @Boxed private(set) var stepUses: StepUses
  @Boxed package internal(set) var device: Device
  var disk: any RunDisk
  var processes = RunningProcesses()
  /// The files that the run keeps on disk for each backup, and their size in bytes. The key is the
  /// label of the backup. A run without a directory keeps no files.
  var archives: [String: (files: ContainerArchive?, bytes: Int64)] = [:]
  /// The backups whose files the run keeps on disk.
  var archivePolicy: ArchivePolicy
  /// The work that the run has done and the bytes that it has used.
  var tally: ResourceTally
  package internal(set) var currentStep: Scenario.StepReference
  /// The extension that performs the current step; nil for the app.
  var currentExtension: String?
  /// The circumstances of the events that the run records now, for example that they are part of a
  /// launch.
  var circumstances: Transcript.Entry.Circumstances = []
  package internal(set) var transcript: Transcript
  /// The interruption of the current step.
  var interruption = PlannedInterruption()
  /// The changes that the app's code made in the latest step; nil if the kit does not record them.
  package internal(set) var latestRecording: Recording?
  /// The run before the app's latest launch, and the steps since, which `resumeApp` repeats; nil if
  /// the run does not keep them.
  var launchHistory: LaunchHistory?
  /// The facts that findings and advice name. No later step depends on them, so they are not in the
  /// device.
  var notes = RunNotes()
  /// True if the disk may differ from the tree. This happens when the app's own code runs, or when
  /// an operation of the kit fails.
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
    self.stepUses = StepUses(of: scenario)
    self.archivePolicy = .neededBySteps
    self.tally = ResourceTally(limits: runner.limits)
    self.currentStep = firstStep
    self.transcript = Transcript(scenario: scenario, variant: variant, firstTree: firstTree)
  }

  var scenario: Scenario { transcript.scenario }

  package var variant: Scenario.Variant { transcript.variant }

  var profile: SystemProfile { device.profile }

  /// The container as the recorded events left it.
  var tree: FileTree { device.tree }

  /// Returns the container as it is now. Scans the disk only if it may differ from the tree.
  func currentTree() throws(StepFailure) -> FileTree {
    guard isDiskUncertain else { return tree }
    let scannedTree = try failingStepOnError(try disk.scan(expecting: tree))
    return try failingStepOnError(try disk.container?.addingChecksums(to: scannedTree, known: tree))
      ?? scannedTree
  }

  /// Throws if the disk differs from the tree after the last step. Does nothing if the app's own
  /// code has run, or if an operation of the kit has failed.
  func requireDiskEqualsTree() throws(StepFailure) {
    guard !isDiskUncertain else { return }
    let scannedTree = try failingStepOnError(try disk.scan(expecting: tree))
    guard let path = tree.firstDifference(from: scannedTree) else { return }
    throw StepFailure(
      "'\(path)' must be \(tree.words(for: path)) after this step, but on disk it is "
        + "\(scannedTree.words(for: path)). Either another process writes into the temporary folder, "
        + "or this is a bug in the kit; please report it",
      .notAllowed)
  }

  var isRecording: Bool { disk.container?.isRecording == true }

  /// Returns the directory of the container, in which the app's own code runs.
  func requiredContainer() throws(StepFailure) -> FakeContainer {
    guard let container = disk.container else {
      throw StepFailure(
        "this run keeps no files on disk, so it cannot run the app's own code", .notAllowed
      )
    }
    return container
  }

  /// Records an event, with the container after it. The default for `tree` is the unchanged
  /// container.
  mutating func record(
    _ event: Transcript.Event, tree: FileTree? = nil,
    in additionalCircumstances: Transcript.Entry.Circumstances = []
  ) throws(StepFailure) {
    let entry = Transcript.Entry(
      step: currentStep, event: event, tree: tree ?? self.tree, profile: profile,
      keychain: device.keychain,
      in: circumstances.union(additionalCircumstances).union(
        currentExtension == nil ? [] : .inExtension))
    device.absorb(entry, usedPaths: stepUses.usedPaths)
    if let phrase = event.phraseBeforeCheck { scheduleCheck(after: phrase) }
    if case .changes = event, notes.uncheckedEvent != nil { device.app.traits.insert(.checkIsDue) }
    notes.updateLostFiles(after: entry)
    transcript.entries.append(entry)
    try updateDefaultsHistory(after: entry)
  }
}

/// The items, backups and facts that the steps of a scenario use, collected once.
struct StepUses: Sendable {
  /// The items that steps change, move, copy or remove. They must exist before the step.
  let usedPaths: Set<ContainerPath>
  /// The items that steps create. They must not exist before the step.
  let newPaths: Set<ContainerPath>
  /// The facts of the device on which steps depend.
  let deviceFacts: Device.Facts
  /// The keychain items with which steps encrypt files.
  let sealingItems: Set<String>
  /// The labels of the backups that steps restore or compare with.
  let backupLabels: Set<String>

  init(of scenario: Scenario) {
    let steps = scenario.launch + scenario.steps
    self.usedPaths = Set(steps.compactMap(\.action.usedPath))
    self.newPaths = Set(steps.compactMap(\.action.newPath))
    self.backupLabels = Set(steps.compactMap(\.action.neededBackupLabel))
    self.sealingItems = scenario.sealingItems
    let savedFiles = Set(steps.compactMap(\.action.savedFile))
    let namedPaths = usedPaths.union(newPaths).union(savedFiles).union(steps.compactMap(\.readPath))
    let namesRemnant = namedPaths.contains(where: SystemProfile.RemnantPattern.atomicSave.matches)
    self.deviceFacts = steps.reduce(into: namesRemnant ? .remnants : []) { details, step in
      if let source = step.action.replacementPath, !savedFiles.contains(source) {
        details.insert(.remnants)
      }
      if step.appVersions != nil { details.insert(.appVersion) }
      if step.action.hasContainerPlaceholder { details.insert(.containerPath) }
      if step.mayThrow { details.insert(.mayThrow) }
    }
  }
}

/// The backups whose files a run keeps on disk.
enum ArchivePolicy {
  case all
  case neededBySteps
  case none
}

/// The interruption of a step, and results of earlier runs, which exploration passes to the run.
struct PlannedInterruption: Sendable {
  /// The change before which the app is killed; nil for none.
  var interruptionPoint: Scenario.InterruptionPoint?
  /// The changes of the app's steps since the log began; nil if the run keeps no log.
  var log: ChangeLog?
  /// The rehearsal of the interrupted step of the app's own code; nil if no earlier run made it.
  var rehearsal: Rehearsal?
  /// The interrupted activity of simulated steps; nil if no earlier run recorded it.
  var activity: InterruptedActivity?
}

/// The facts about a run that its findings and advice name.
struct RunNotes: Sendable {
  /// The files that iOS deleted or did not restore, and that are still missing. The value is true
  /// if the app was launched since then.
  var lostFiles: [ContainerPath: Bool] = [:]
  /// For each file of user defaults, the steps that set its values.
  var defaultsHistories: [ContainerPath: UserDefaultsHistory] = [:]
  /// The latest event that made the app's own check due, as a phrase, such as `the kill`.
  var uncheckedEvent: String?
}

/// The run before the app's latest launch, and the steps since.
struct LaunchHistory {
  /// The run before the step that launched the app; empty before a launch. The run is in an array,
  /// because a struct cannot contain itself, and the run contains this value.
  var runBeforeLaunch: [ScenarioRun] = []
  var steps: [Scenario.Step] = []
}

/// Performs work on the disk. Turns an error of this work into the failure of the current step.
func failingStepOnError<Result>(
  _ work: @autoclosure () throws(RunError) -> Result
) throws(StepFailure) -> Result {
  do throws(RunError) {
    return try work()
  } catch {
    throw StepFailure(error)
  }
}

extension ScenarioRun {
  /// Performs work of the app that may fail.
  ///
  /// - Returns: True if the work succeeded, and false if it failed.
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

/// Reads the disk. Returns nil if the disk refuses the read.
///
/// - Throws: ``StepFailure`` for a fault of the machine.
func nilIfRefused<Result>(
  _ read: @autoclosure () throws(RunError) -> Result?
) throws(StepFailure) -> Result? {
  do throws(RunError) {
    return try read()
  } catch {
    if error.isMachineFault { throw StepFailure(error) }
    return nil
  }
}
