import BackupApp
import BackupContainer
import BackupDevice
import BackupFileTree

extension ScenarioRun {
  /// Does an operation as the app would, and records what it changed.
  mutating func perform(_ operation: FileOperation) throws(StepFailure) {
    if interruption.log != nil { try meetKill(in: operation.changes(in: tree)) }
    try carryOut(operation)
  }

  /// Does an operation from its begin to its end, and records what it changed.
  mutating func carryOut(_ operation: FileOperation) throws(StepFailure) {
    var tree = self.tree
    try perform(operation, in: &tree)
    try record(.changes(self.tree.changes(by: operation)), tree: tree)
  }

  /// Does a change of an operation, of which the rest does not come.
  mutating func carryOut(_ change: FileChange) throws(StepFailure) {
    try requireRoom(for: change)
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

  /// Does an operation on disk and in a tree of it; one that says it cannot be done is not what the
  /// disk holds.
  mutating func perform(_ operation: FileOperation, in tree: inout FileTree) throws(StepFailure) {
    try requireRoom(for: operation)
    do throws(FileOperation.Failure) {
      try disk.apply(operation, in: tree)
    } catch {
      if error.code == .failed || error.code == .machineFault { isDiskUncertain = true }
      if error.code == .fileExists, device.interruptedItems.made.contains(error.path) {
        try record(.foundOwnRemnant(error.path))
        throw StepFailure(reportedByRule: error)
      }
      // An attribute of a missing item is a finding of its own.
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
      tree = try look()
    }
  }

  /// Sets or clears a mark as the app would: by an interface the system may lack, on an item that
  /// may be missing.
  mutating func setMark(
    _ mark: ExclusionMark, on path: ContainerPath, to isSet: Bool
  ) throws(StepFailure) {
    guard profile.availableMarks.value.contains(mark) else {
      try record(.markUnavailable(path, mark))
      throw StepFailure(reportedByRule: FileOperation.Failure(.unavailable, path))
    }
    do throws(StepFailure) {
      try perform(.setMark(mark, on: path, to: isSet))
    } catch {
      guard error.code == .noSuchFile else { throw error }
      try record(.markOnMissing(path))
      throw StepFailure(error.description, .reported(.simulated), code: error.code)
    }
  }

  /// Runs the app's own code that is bound to a name, and records what it did.
  mutating func performAction(
    _ name: String, with arguments: ActionArguments, in identifier: String?
  ) async throws(StepFailure) {
    guard let binding = runner.host.actions.bindings[name] else {
      throw StepFailure(
        arguments.messageOnUnbound(name, bound: runner.host.actions.names), .notAllowed)
    }
    transcript.stepsWithoutShim.insert(currentStep.number)
    device.app.traits.insert(.hasActed)
    let app = try await process(of: identifier)
    let call = ActionCall(name: name, launch: try launch(of: identifier), arguments: arguments)
    defer { noteTemporaryFolder(of: app) }
    do throws(StepFailure) {
      try await watch(probing: binding.probesMarks, in: identifier) {
        try await app.perform(call)
      }
      transcript.addArgumentUses(arguments.uses(asking: call.askedNames))
    } catch {
      // What comes after the error was never asked for.
      transcript.addArgumentUses(arguments.uses(asking: call.askedNames).filter(\.isRead))
      throw error
    }
  }

  mutating func relaunchApp() async throws(StepFailure) {
    endApp()
    try await startApp()
  }

  /// Ends the app, with all of its processes; what it has found lost of the keychain is no news the
  /// next time.
  package mutating func endApp() {
    processes.end()
    device.endApp()
  }

  /// Starts the app, with its launch steps, unless it runs.
  mutating func startApp() async throws(StepFailure) {
    guard !device.app.isRunning else { return }
    try requireApp()
    try countLaunch()
    if let container = disk.container { _ = try await start(nil, in: container) }
    for step in scenario.launch {
      try await run(step)
      // A launch step that is killed ends each start; the step behind it would start the app again.
      guard device.app.isRunning else { return }
    }
    try await checkApp()
  }

  var startRunsCode: Bool { scenario.startRunsCode(on: runner.host) }

  /// Notes that the app is started, and ends the one that ran.
  mutating func countLaunch() throws(StepFailure) {
    endApp()
    try record(.launch)
    processes.begin(nil, launch: device.app.launchCount)
  }

  /// Counts a launch of an extension, which ends the one that ran.
  mutating func countLaunch(of identifier: String) {
    let number = (device.app.extensionLaunchCounts[identifier] ?? 0) + 1
    device.app.extensionLaunchCounts[identifier] = number
    processes.begin(identifier, launch: number)
  }

  /// What the app finds now, or an extension of it.
  func launch(of identifier: String? = nil) throws(StepFailure) -> AppLaunch {
    let container = try directory()
    let locations = identifier.flatMap(container.locations(ofExtension:)) ?? container.locations
    return AppLaunch(
      bundleIdentifier: identifier ?? scenario.app.bundleIdentifier, container: locations,
      system: profile.version, appVersion: device.app.version,
      launchCount: identifier.map { device.app.extensionLaunchCounts[$0] ?? 0 }
        ?? device.app.launchCount,
      keychain: device.keychain[KeychainItems.nameOfCode] == nil ? .lost : .kept)
  }

  /// The app that runs, or an extension of it, which is started where it does not run.
  private mutating func process(
    of identifier: String?
  ) async throws(StepFailure) -> any RunningApp {
    let running = processes.running[identifier]
    guard let identifier else {
      if let running { return running }
      throw StepFailure("the app is not running", .notAllowed)
    }
    if let running, !running.hasEnded { return running }
    countLaunch(of: identifier)
    return try await start(identifier, in: try directory())
  }

  /// Starts the app, or an extension of it, in a process if it has one, and runs what it does at each
  /// start.
  private mutating func start(
    _ identifier: String?, in container: FakeContainer
  ) async throws(StepFailure) -> any RunningApp {
    let launch = try launch(of: identifier)
    defer { processes.endStarting(identifier, ofLaunch: launch.launchCount) }
    let started: any RunningApp
    do throws(AppFailure) {
      started = try await runner.host.start(launch, in: container)
    } catch {
      throw StepFailure(starting: error)
    }
    processes.keep(started, of: identifier)
    guard runner.host.runsCodeAtLaunch else { return started }
    transcript.stepsWithoutShim.insert(currentStep.number)
    circumstances.insert(.start)
    defer {
      circumstances.remove(.start)
      noteTemporaryFolder(of: started)
    }
    try await watch(probing: true, in: identifier) { try await started.launch(launch) }
    return started
  }

  private mutating func noteTemporaryFolder(of app: any RunningApp) {
    if let folder = app.sharedTemporaryFolder { transcript.sharedTemporaryFolder = folder }
  }

  /// Runs one step, unless it is for other systems; a failure that it expects is not thrown.
  mutating func run(_ step: Scenario.Step) async throws(StepFailure) {
    guard runner.simulators.isDone(step, profile.version, device.app.version) else { return }
    if step.ifLocked != nil, device.lock != .unlocked { return }
    let (caller, callersExtension) = (currentStep, currentExtension)
    (currentStep, currentExtension) = (step.reference, step.extensionIdentifier)
    defer { currentExtension = callersExtension }
    if launchCheckpoint != nil, !step.reference.isOfLaunch { try keepStart(step) }
    if let point = step.killed {
      try await run(step, killedBefore: point)
      currentStep = caller
      return
    }
    // What the app does at its start belongs to the step that starts it.
    if step.reference.isOfLaunch {
      try await runToEnd(step)
    } else {
      try await recording { run throws(StepFailure) in try await run.runToEnd(step) }
    }
    currentStep = caller
  }

  /// Records the next step and, if the app is not running and the step starts it, the run before it.
  private mutating func keepStart(_ step: Scenario.Step) throws(StepFailure) {
    guard device.app.isRunning || step.startsApp else { return }
    if !device.app.isRunning {
      var before = self
      before.launchCheckpoint = nil
      before.runner.whenBackedUp = { _, _, _ in }
      before.disk = try onDisk(try disk.saved())
      launchCheckpoint = LaunchCheckpoint(before: [before])
    }
    launchCheckpoint?.steps.append(step)
  }

  /// Runs one step to its end; a failure that it expects is not thrown.
  mutating func runToEnd(_ step: Scenario.Step) async throws(StepFailure) {
    try await prepare(step.action)
    let entryCount = transcript.entries.count
    do throws(StepFailure) {
      try tally.charge(making: 1)
      try await perform(step.action)
    } catch {
      return try settle(error, of: step, entryCount: entryCount)
    }
    interruption.activity?.note(transcript.entries[entryCount...])
    guard step.expectedFailure == nil else {
      throw StepFailure(
        "the step succeeded, but its 'throws' requires it to fail; remove 'throws', or correct "
          + "the step")
    }
  }

  /// Starts the app for a step of its own, unless that is an extension's.
  mutating func prepare(_ action: StepAction) async throws(StepFailure) {
    guard action.traits.actor == .app else { return }
    try requireApp()
    guard currentExtension == nil else { return }
    device.app.traits.insert(.hasRunInContainer)
    try await startApp()
  }

  /// Does a step; what code of the app's own has made is not counted yet.
  mutating func perform(_ action: StepAction) async throws(StepFailure) {
    defer { if action.traits.contains(.runsCode) { tally.forgetBytes() } }
    try await runner.simulators.perform(action, &self)
  }

  private mutating func settle(
    _ failure: StepFailure, of step: Scenario.Step, entryCount: Int
  ) throws(StepFailure) {
    if failure.outcome == .killed { throw failure }
    if step.mayThrow, failure.outcome.canBeExpected, device.hasSystemActed {
      return forgetCopedWith(since: entryCount)
    }
    guard let expected = step.expectedFailure, failure.outcome.canBeExpected else {
      if failure.outcome.isReportedByRule { return }
      throw failure
    }
    guard expected.matches(failure) else {
      throw StepFailure(
        "the step failed, but not with \(expected), which its 'throws' requires: \(failure)")
    }
    forgetCopedWith(since: entryCount)
  }

  /// Removes the entries on what an app that catches the error has handled.
  mutating func forgetCopedWith(since entryCount: Int) {
    let kept = transcript.entries[entryCount...].filter { entry in
      if case .markOnMissing = entry.event, circumstances.contains(.killedStep) {
        return false
      }
      return !entry.event.traits.contains(.handledByCatching)
    }
    transcript.entries.replaceSubrange(entryCount..., with: kept)
  }
}

/// The processes of an app, each with launches of its own: by the identifier of an extension, nil for
/// the app itself.
struct RunningProcesses: Sendable {
  /// Those that run and whose code was needed.
  private(set) var running: [String?: any RunningApp] = [:]
  /// Which launch of each has begun, and has no process yet.
  private(set) var starting: [String?: Int] = [:]

  /// Notes that a launch begins, and ends the process that ran.
  mutating func begin(_ identifier: String?, launch number: Int) {
    running.removeValue(forKey: identifier)?.end()
    starting[identifier] = number
  }

  mutating func keep(_ started: any RunningApp, of identifier: String?) {
    running[identifier] = started
  }

  /// Keeps a process, unless it was ended meanwhile; the caller ends what is not kept.
  mutating func keep(
    _ started: any RunningApp, ofLaunch number: Int, of identifier: String?
  ) -> Bool {
    guard starting[identifier] == number else { return false }
    keep(started, of: identifier)
    return true
  }

  /// Notes that a launch is at its end, or could not begin.
  mutating func endStarting(_ identifier: String?, ofLaunch number: Int) {
    if starting[identifier] == number { starting[identifier] = nil }
  }

  mutating func end() {
    for running in running.values { running.end() }
    leave()
  }

  /// Goes on without them, which another run has.
  mutating func leave() {
    running = [:]
    starting = [:]
  }
}
