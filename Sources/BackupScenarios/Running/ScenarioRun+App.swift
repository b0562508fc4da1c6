import BackupApp
import BackupContainer
import BackupDevice
import BackupFileTree

extension ScenarioRun {
  /// Performs an operation of the app, and records its changes. If a kill is planned within the
  /// operation, performs only the changes before the kill, and throws.
  mutating func performUnlessKilled(_ operation: FileOperation) throws(StepFailure) {
    if interruption.log != nil { try killIfPlanned(in: operation.changes(in: tree)) }
    try performWithoutKill(operation)
  }

  /// Performs an operation that no kill interrupts, and records its changes.
  mutating func performWithoutKill(_ operation: FileOperation) throws(StepFailure) {
    var tree = self.tree
    try applyToDisk(operation, and: &tree)
    try record(.changes(self.tree.changes(by: operation)), tree: tree)
  }

  /// Performs one change of an operation in which the app is killed later.
  mutating func applyBeforeKill(_ change: FileChange) throws(StepFailure) {
    try charge(change)
    var tree = self.tree
    do throws(FileOperation.Failure) {
      try tree.apply(change)
      try disk.apply(change, in: self.tree)
    } catch {
      isDiskUncertain = true
      throw StepFailure(error)
    }
    try record(.changes(self.tree.changes(by: change)), tree: tree)
  }

  /// Performs an operation on the disk and on `tree`. If only `tree` refuses the operation, scans
  /// the disk.
  mutating func applyToDisk(
    _ operation: FileOperation, and tree: inout FileTree
  ) throws(StepFailure) {
    try charge(operation)
    do throws(FileOperation.Failure) {
      try disk.apply(operation, in: tree)
    } catch {
      if error.code == .failed || error.code == .machineFault { isDiskUncertain = true }
      if error.code == .fileExists, device.interruptedItems.createdItems.contains(error.path) {
        try record(.foundOwnRemnant(error.path))
        throw StepFailure(reportedByRule: error)
      }
      // For a change of a mark, `setMark` records the event.
      if !operation.changesAttributes, error.code == .noSuchFile,
        error.path.isAncestor(of: operation.path)
      {
        try record(.writeToMissing(error.path, wrappedIn: nil))
        throw StepFailure(reportedByRule: error)
      }
      throw StepFailure(error)
    }
    do throws(FileOperation.Failure) {
      try tree.apply(operation)
    } catch {
      isDiskUncertain = true
      tree = try currentTree()
    }
  }

  /// Sets or clears a mark for the app. Records an event if iOS does not have the mark, or if the
  /// item is missing.
  mutating func setMark(
    _ mark: ExclusionMark, on path: ContainerPath, to isSet: Bool
  ) throws(StepFailure) {
    guard profile.availableMarks.value.contains(mark) else {
      try record(.markUnavailable(path, mark))
      throw StepFailure(reportedByRule: FileOperation.Failure(.unavailable, path))
    }
    do throws(StepFailure) {
      try performUnlessKilled(.setMark(mark, on: path, to: isSet))
    } catch {
      guard error.code == .noSuchFile else { throw error }
      try record(.markOnMissing(path))
      throw StepFailure(error.description, .reported(.simulated), code: error.code)
    }
  }

  /// Runs the app's own code that is bound to a name, and records its changes.
  mutating func performAction(
    _ actionName: String, with arguments: ActionArguments, in extensionIdentifier: String?
  ) async throws(StepFailure) {
    guard let binding = runner.host.actions.bindings[actionName] else {
      throw StepFailure(
        arguments.unboundActionMessage(actionName, boundNames: runner.host.actions.names),
        .notAllowed)
    }
    transcript.stepsWithoutShim.insert(currentStep.number)
    device.app.traits.insert(.hasActed)
    let process = try await runningOrStartedProcess(of: extensionIdentifier)
    let call = ActionCall(
      name: actionName, launch: try launchFacts(of: extensionIdentifier), arguments: arguments)
    defer { setSharedTemporaryFolder(of: process) }
    do throws(StepFailure) {
      try await runCode(probing: binding.probesMarks, in: extensionIdentifier) {
        try await process.perform(call)
      }
      transcript.addArgumentUses(arguments.uses(requestedNames: call.requestedArgumentNames))
    } catch {
      // The code stopped early, so an argument that it has not read is no mistake.
      transcript.addArgumentUses(
        arguments.uses(requestedNames: call.requestedArgumentNames).filter(\.isRead))
      throw error
    }
  }

  mutating func relaunchApp() async throws(StepFailure) {
    endApp()
    try await startApp()
  }

  /// Ends the app and the processes of its extensions.
  package mutating func endApp() {
    processes.end()
    device.endApp()
  }

  /// Launches the app and performs the launch steps, unless the app is running.
  mutating func startApp() async throws(StepFailure) {
    guard !device.app.isRunning else { return }
    try requireInstalledApp()
    try beginNewLaunch()
    if let container = disk.container { _ = try await start(nil, in: container) }
    for step in scenario.launch {
      try await run(step)
      // If a launch step has killed the app, the next launch step would launch the app again.
      guard device.app.isRunning else { return }
    }
    try await checkApp()
  }

  /// True if a launch runs the app's own code.
  var launchRunsCode: Bool { scenario.launchRunsCode(on: runner.host) }

  /// Ends the app if it is running, and records a launch.
  mutating func beginNewLaunch() throws(StepFailure) {
    endApp()
    try record(.launch)
    processes.beginLaunch(device.app.launchCount, of: nil)
  }

  /// Ends an extension if it is running, and counts a launch of it.
  mutating func beginNewLaunch(of extensionIdentifier: String) {
    let launchNumber = (device.app.extensionLaunchCounts[extensionIdentifier] ?? 0) + 1
    device.app.extensionLaunchCounts[extensionIdentifier] = launchNumber
    processes.beginLaunch(launchNumber, of: extensionIdentifier)
  }

  /// Returns the facts about the current launch that code of the app, or of an extension, can read.
  func launchFacts(of extensionIdentifier: String? = nil) throws(StepFailure) -> AppLaunch {
    let container = try requiredContainer()
    let locations =
      extensionIdentifier.flatMap(container.locations(ofExtension:)) ?? container.locations
    return AppLaunch(
      bundleIdentifier: extensionIdentifier ?? scenario.app.bundleIdentifier, container: locations,
      system: profile.version, appVersion: device.app.version,
      launchCount: extensionIdentifier.map { device.app.extensionLaunchCounts[$0] ?? 0 }
        ?? device.app.launchCount,
      keychain: device.keychain[KeychainItems.nameForItemsOfCode] == nil ? .lost : .kept)
  }

  /// Returns the running process of the app or of an extension. Starts an extension that is not
  /// running.
  private mutating func runningOrStartedProcess(
    of extensionIdentifier: String?
  ) async throws(StepFailure) -> any RunningApp {
    let runningProcess = processes.runningApps[extensionIdentifier]
    guard let extensionIdentifier else {
      if let runningProcess { return runningProcess }
      throw StepFailure("the app is not running", .notAllowed)
    }
    if let runningProcess, !runningProcess.hasEnded { return runningProcess }
    beginNewLaunch(of: extensionIdentifier)
    return try await start(extensionIdentifier, in: try requiredContainer())
  }

  /// Starts the process of the app or of an extension, and runs its launch code.
  private mutating func start(
    _ extensionIdentifier: String?, in container: FakeContainer
  ) async throws(StepFailure) -> any RunningApp {
    let launch = try launchFacts(of: extensionIdentifier)
    defer { processes.endLaunch(launch.launchCount, of: extensionIdentifier) }
    let startedProcess: any RunningApp
    do throws(AppFailure) {
      startedProcess = try await runner.host.start(launch, in: container)
    } catch {
      throw StepFailure(starting: error)
    }
    processes.add(startedProcess, of: extensionIdentifier)
    guard runner.host.runsCodeAtLaunch else { return startedProcess }
    transcript.stepsWithoutShim.insert(currentStep.number)
    circumstances.insert(.start)
    defer {
      circumstances.remove(.start)
      setSharedTemporaryFolder(of: startedProcess)
    }
    try await runCode(probing: true, in: extensionIdentifier) {
      try await startedProcess.launch(launch)
    }
    return startedProcess
  }

  private mutating func setSharedTemporaryFolder(of process: any RunningApp) {
    if let folder = process.sharedTemporaryFolder { transcript.sharedTemporaryFolder = folder }
  }

  /// Runs one step. Skips a step that is only for other iOS versions or app versions. While the
  /// device is locked, also skips a step with `ifLocked`.
  ///
  /// Does not throw a failure that the step expects.
  mutating func run(_ step: Scenario.Step) async throws(StepFailure) {
    guard runner.simulators.applies(step, profile.version, device.app.version) else { return }
    if step.ifLocked != nil, device.lockState != .unlocked { return }
    let (outerStep, outerExtension) = (currentStep, currentExtension)
    (currentStep, currentExtension) = (step.reference, step.extensionIdentifier)
    defer { currentExtension = outerExtension }
    if launchHistory != nil, !step.reference.isOfLaunch {
      try updateLaunchHistory(before: step)
    }
    if let point = step.interruptionPoint {
      try await run(step, killedBefore: point)
      currentStep = outerStep
      return
    }
    // The changes of a launch step belong to the recording of the step that launches the app.
    if step.reference.isOfLaunch {
      try await runToEnd(step)
    } else {
      try await recordingChanges { run throws(StepFailure) in try await run.runToEnd(step) }
    }
    currentStep = outerStep
  }

  /// Adds the next step to the launch history. If the app is not running, a new history begins with
  /// a step that launches the app, and other steps are not added.
  private mutating func updateLaunchHistory(before step: Scenario.Step) throws(StepFailure) {
    guard device.app.isRunning || step.launchesApp else { return }
    if !device.app.isRunning {
      var runBefore = self
      runBefore.launchHistory = nil
      runBefore.runner.whenBackedUp = { _, _, _ in }
      runBefore.disk = try failingStepOnError(try disk.saved())
      launchHistory = LaunchHistory(runBeforeLaunch: [runBefore])
    }
    launchHistory?.steps.append(step)
  }

  /// Runs one step to its end, without a kill. Does not throw a failure that the step expects.
  mutating func runToEnd(_ step: Scenario.Step) async throws(StepFailure) {
    try await startAppIfNeeded(for: step.action)
    let firstEntryIndex = transcript.entries.count
    do throws(StepFailure) {
      try tally.charge(creating: 1)
      try await perform(step.action)
    } catch {
      return try throwUnlessExpected(error, of: step, firstEntryIndex: firstEntryIndex)
    }
    interruption.activity?.add(filesLeftBy: transcript.entries[firstEntryIndex...])
    guard step.expectedFailure == nil else {
      throw StepFailure(
        "the step succeeded, but its 'throws' requires it to fail; remove 'throws', or correct "
          + "the step")
    }
  }

  /// Launches the app if the app performs the step. A step of an extension does not launch the app.
  mutating func startAppIfNeeded(for action: StepAction) async throws(StepFailure) {
    guard action.traits.actor == .app else { return }
    try requireInstalledApp()
    guard currentExtension == nil else { return }
    device.app.traits.insert(.hasRunInContainer)
    try await startApp()
  }

  /// Performs the action of a step. If the action may have run the app's own code, the tally's
  /// count of the container's bytes becomes invalid.
  mutating func perform(_ action: StepAction) async throws(StepFailure) {
    defer { if action.traits.contains(.runsCode) { tally.invalidateBytes() } }
    try await runner.simulators.perform(action, &self)
  }

  /// Throws the failure of a step, except in three cases: the step expects the failure; the step
  /// has `mayThrow`, and a system event or a kill has occurred; a rule reports the failure.
  private mutating func throwUnlessExpected(
    _ failure: StepFailure, of step: Scenario.Step, firstEntryIndex: Int
  ) throws(StepFailure) {
    if failure.outcome == .killed { throw failure }
    if step.mayThrow, failure.outcome.canBeExpected, device.hasSystemActed {
      return removeHandledEntries(since: firstEntryIndex)
    }
    guard let expectedFailure = step.expectedFailure, failure.outcome.canBeExpected else {
      if failure.outcome.isReportedByRule { return }
      throw failure
    }
    guard expectedFailure.matches(failure) else {
      throw StepFailure(
        "the step failed, but not with \(expectedFailure), which its 'throws' requires: \(failure)")
    }
    removeHandledEntries(since: firstEntryIndex)
  }

  /// Removes the current step's events that are no problem if the app catches the error. In a
  /// killed step, also removes the event of a mark on a missing item. The entries of the step begin
  /// at `firstEntryIndex`.
  mutating func removeHandledEntries(since firstEntryIndex: Int) {
    let remainingEntries = transcript.entries[firstEntryIndex...].filter { entry in
      if case .markOnMissing = entry.event, circumstances.contains(.killedStep) {
        return false
      }
      return !entry.event.traits.contains(.handledByCatching)
    }
    transcript.entries.replaceSubrange(firstEntryIndex..., with: remainingEntries)
  }
}

/// The processes of an app and its extensions. The key is the identifier of an extension, or nil
/// for the app itself.
struct RunningProcesses: Sendable {
  private(set) var runningApps: [String?: any RunningApp] = [:]
  /// The numbers of the launches that have begun, but whose code has not returned.
  private(set) var launchesInProgress: [String?: Int] = [:]

  /// Begins a launch, and ends the former process.
  mutating func beginLaunch(_ launchNumber: Int, of extensionIdentifier: String?) {
    runningApps.removeValue(forKey: extensionIdentifier)?.end()
    launchesInProgress[extensionIdentifier] = launchNumber
  }

  mutating func add(_ process: any RunningApp, of extensionIdentifier: String?) {
    runningApps[extensionIdentifier] = process
  }

  /// Adds a started process, and returns true. If its launch has ended meanwhile, returns false,
  /// and the caller must end the process.
  mutating func add(
    _ process: any RunningApp, ofLaunch launchNumber: Int, of extensionIdentifier: String?
  ) -> Bool {
    guard launchesInProgress[extensionIdentifier] == launchNumber else { return false }
    add(process, of: extensionIdentifier)
    return true
  }

  /// Ends a launch whose code has returned, or that failed.
  mutating func endLaunch(_ launchNumber: Int, of extensionIdentifier: String?) {
    if launchesInProgress[extensionIdentifier] == launchNumber {
      launchesInProgress[extensionIdentifier] = nil
    }
  }

  mutating func end() {
    for app in runningApps.values { app.end() }
    removeAll()
  }

  /// Removes the processes without ending them, because another run still uses them.
  mutating func removeAll() {
    runningApps = [:]
    launchesInProgress = [:]
  }
}
