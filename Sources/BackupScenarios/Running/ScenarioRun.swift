import BackupContainer
import BackupDevice
import BackupFileTree

/// A scenario while it runs: the container, the device and the transcript so far.
struct ScenarioRun: StepContext {
  /// A backup that can be restored.
  struct RestorableBackup {
    /// What was backed up.
    let backup: Transcript.Event.Backup
    /// What a transfer takes along instead, by the rules of another kind of backup.
    var transferred: Transcript.Event.Backup
    /// The files' contents, where a later step restores them.
    var archive: ContainerArchive?
    /// How many bytes of the disk these take.
    var archivedBytes: Int64 = 0
  }

  /// The scenario.
  let scenario: Scenario
  /// The system and backup kind it runs under.
  let variant: Scenario.Variant
  /// The functions that act for the system.
  let device: RunBehaviour
  /// How the app is started.
  var host: any AppHost
  /// The app, while it runs and its code was needed.
  var app: (any RunningApp)?
  /// The app's extensions, by identifier.
  var extensions = RunningExtensions()
  /// Where the container is.
  var disk: any RunDisk
  /// The system now.
  var profile: SystemProfile
  /// The app's version now.
  var appVersion: String
  /// Whether every backup's files are kept, not only those that a later step restores.
  var archivesEveryBackup = false
  /// Whether the app does nothing but by the run's steps; in a test's session its code may have run.
  var knowsWhenAppRuns = true
  /// Whether `run` steps may start processes.
  var allowsProcesses = false
  /// Whether folders may be read that the scenario names.
  var allowsBackups = false
  /// What it has taken of the machine, without a limit in a test's session.
  var tally = ResourceTally()
  /// Whether marks that the app's code sets by Foundation are seen.
  var seesFoundationMarks: @Sendable () -> Bool = { FoundationMarks.areSeen }
  /// Called when a backup was taken.
  var whenBackedUp:
    @Sendable (Transcript.Event.Backup, Scenario.StepReference, FakeContainer) throws(RunError) ->
      Void = { _, _, _ throws(RunError) in }
  /// How often the app was started.
  var launchCount = 0
  /// Which launch of the app has begun, and has no process yet; nil for none.
  var startingLaunch: Int?
  /// Whether what the app's code does now is what it does at each start.
  var isStarting = false
  /// Whether the app runs.
  var isAppRunning = false
  /// Whether the app is off the device, and its data there.
  var isOffloaded = false
  /// What is there of what the app had put into the keychain for this device only.
  var keychain = ActionCall.Keychain.kept
  /// Whether the app ran since an update or a restore gave it its container.
  var hasRunInContainer = false
  /// Whether the app ran since it was restored, updated or put on another system.
  var hasAppRun = true
  /// The backups, by label.
  var backups: [String: RestorableBackup] = [:]
  /// The labels of the backups whose files a step needs.
  let neededLabels: Set<String>
  /// The number from which a session looks for a free one, by the label that several backups share.
  var nextNumbers: [String: Int] = [:]
  /// The latest backup.
  var latestBackup: Transcript.Event.Backup?
  /// The step that runs.
  var currentStep: Scenario.StepReference
  /// What happened so far.
  var transcript: Transcript
  /// The kill that the step which runs comes to; nil for none.
  var kill: ComingKill?
  /// The changes that the app's steps have made since this was asked for; nil where it was not.
  var changeLog: ChangeLog?
  /// What tells the contents of files from others is found out at each look.
  var readsContents = false
  /// What the app's process may remember.
  var memory = AppMemory.none
  /// What the code of the step that ran last has changed, where that is recorded.
  var latestRecording: Recording?
  /// What a step that is killed would change, where that is known from before; else it is recorded.
  var plannedRecording: Recording?
  /// Whether the disk may hold what no step says: once the app's own code has acted, or a step of
  /// the kit's was done by half.
  var isDiskUncertain = false

  /// Prepares a run in a container that was just laid out as `firstTree`.
  init(
    _ scenario: Scenario, _ variant: Scenario.Variant, profile: SystemProfile, device: RunBehaviour,
    host: any AppHost, disk: any RunDisk, firstTree: FileTree, firstStep: Scenario.StepReference
  ) {
    self.scenario = scenario
    self.variant = variant
    self.device = device
    self.host = host
    self.disk = disk
    self.profile = profile
    self.appVersion = scenario.app.version
    self.neededLabels = Set((scenario.launch + scenario.steps).compactMap(\.action.neededLabel))
    self.currentStep = firstStep
    self.transcript = Transcript(scenario: scenario, variant: variant, firstTree: firstTree)
  }

  /// The container as it is now; the disk is looked at only where it may hold something else than
  /// the steps say.
  func look() throws(StepFailure) -> FileTree {
    let tree = transcript.lastTree
    return isDiskUncertain ? try onDisk(try disk.scan(expecting: tree)) : tree
  }

  /// Looks at the disk after the last step, and says what it should not hold.
  ///
  /// - Throws: ``StepFailure`` where an operation has done something else on disk than its meaning
  ///   is. Once the app's own code has acted nobody knows what the disk should hold.
  func requireDiskAsSteps() throws(StepFailure) {
    guard !isDiskUncertain else { return }
    let found = try onDisk(try disk.scan(expecting: transcript.lastTree))
    guard let path = transcript.lastTree.firstDifference(from: found) else { return }
    throw StepFailure(
      "by the meaning of the steps '\(path)' is \(transcript.lastTree.words(for: path)), but on "
        + "disk it is \(found.words(for: path)): either another process writes into the temporary "
        + "folder, or this is a mistake of the kit's, which its authors want to know of",
      canBeExpected: false)
  }

  /// Whether what the app's code changes is recorded.
  var isRecording: Bool { disk.container?.isRecording == true }

  /// The directory of the container, in which code of the app's own runs.
  ///
  /// - Throws: ``StepFailure`` where there is none.
  func directory() throws(StepFailure) -> FakeContainer {
    guard let container = disk.container else {
      throw StepFailure(
        "code of the app's own runs in a directory, and this run has none", canBeExpected: false)
    }
    return container
  }

  /// Notes that the app does something in its container.
  mutating func noteAppRuns() {
    hasRunInContainer = true
    hasAppRun = true
  }

  /// Notes that the app is in another container than before.
  mutating func noteNewContainer() {
    hasRunInContainer = false
    noteNewPlace()
  }

  /// Notes that what the app finds is new to it, the container or the system.
  mutating func noteNewPlace() {
    if knowsWhenAppRuns { hasAppRun = false }
  }

  /// Does something with the container; an error of the disk's fails the step.
  func onDisk<Result>(
    _ work: @autoclosure () throws(FakeContainerError) -> Result
  ) throws(StepFailure) -> Result {
    do throws(FakeContainerError) {
      return try work()
    } catch {
      throw StepFailure(error)
    }
  }

  /// Records what happened, with the container afterwards; as the last entry left it without one.
  mutating func record(_ event: Transcript.Event, tree: FileTree? = nil) {
    transcript.record(
      Transcript.Entry(
        step: currentStep, event: event, tree: tree ?? transcript.lastTree, profile: profile,
        isOfStart: isStarting, hasAppRun: hasAppRun))
  }
}
