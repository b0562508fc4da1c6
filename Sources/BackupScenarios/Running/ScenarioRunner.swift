package import BackupContainer
package import BackupDevice
package import BackupDiagnostics
package import BackupFileTree

/// Runs scenarios, with settings that are the same for all runs.
package struct ScenarioRunner: Sendable {
  package var simulators: Simulators
  /// The host of the app, with the app's own code for the actions that scenarios name.
  var host: any AppHost
  package var permissions: Permissions

  /// The permissions of a scenario to use the machine outside its container. Scenario files may be
  /// untrusted, so give a permission only to files that you trust.
  package struct Permissions: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// `run` steps may start processes, which have all rights of your user.
    package static let processes = Permissions(rawValue: 1 << 0)
    /// Scenarios may read the folders that they name: captured containers and backups.
    package static let folders = Permissions(rawValue: 1 << 1)
  }

  /// The reader of backup folders; nil if the caller gave none. A restore from a folder then fails.
  package var backupReader: BackupReader?
  package var limits = Scenario.RunLimits()
  /// True if the container is always a directory, even if a scenario runs no code and reads no
  /// folders.
  package var alwaysUsesDirectory = false
  /// True if the run waits after the last step for work that an action has not finished. The run
  /// waits only if an action has changed nothing.
  package var awaitsLateWork = false
  /// Returns the modules in which the kit sees the marks that code sets with Foundation: on Linux,
  /// those with the shim. Tests replace this function.
  var visibleModules: @Sendable () -> FoundationMarks.VisibleModules = {
    FoundationMarks.visibleModules
  }
  /// Called after a backup, before the container changes again. An error fails the step.
  package var whenBackedUp:
    @Sendable (FakeContainer.Backup, Scenario.StepReference, FakeContainer) throws(RunError) ->
      Void = { _, _, _ throws(RunError) in }
  /// Removes a container at the end of a run. The tree has the contents of the container. Tests
  /// replace this function with one that fails.
  var removeContainer: @Sendable (FakeContainer, FileTree) throws(RunError) -> Void =
    { container, tree throws(RunError) in try container.remove(containing: tree) }

  package init(actions: AppActions = AppActions(), allowsProcesses: Bool = false) {
    self.init(host: InProcessHost(actions), allowsProcesses: allowsProcesses)
  }

  package init(host: any AppHost, allowsProcesses: Bool = false) {
    self.simulators = .standard
    self.host = host
    self.permissions = allowsProcesses ? .processes : []
  }

  package var runsAppInProcess: Bool { host.runsInTestProcess }

  /// False if the kit knows that the app has no code of its own for ``AppUnderTest/check(_:)``.
  package var mayHaveCheck: Bool { host.mayHaveCheck }

  /// Returns the first step whose action has no code in this runner; nil if all actions have code.
  /// Launch steps come first.
  package func firstUnboundStep(of scenario: Scenario) -> Scenario.StepReference? {
    (scenario.launch + scenario.steps).first { step in
      step.action.actionName.map { host.actions.bindings[$0] == nil } ?? false
    }?.reference
  }

  package func launchRunsCode(of scenario: Scenario) -> Bool { scenario.launchRunsCode(on: host) }

  /// Returns true if steps of the scenario run the app's own code, but a launch runs none. The kit
  /// knows this only after the first launch.
  package func lacksLaunchCode(of scenario: Scenario) -> Bool {
    host.lacksLaunchCode && scenario.launch.isEmpty && !scenario.stepsRunningCode.isEmpty
  }

  package func runsCode(of scenario: Scenario) -> Bool {
    host.runsCodeAtLaunch || !scenario.stepsRunningCode.isEmpty
  }

  /// Runs a scenario under one iOS version and with one kind of backup. The run has a container of
  /// its own, which is removed at the end.
  ///
  /// A failed step ends the run, and the transcript has its failure. If the container cannot be
  /// removed, the transcript has this failure too. The default for `guidance` is the scenario's
  /// own guidance.
  package func run(
    _ scenario: Scenario, _ variant: Scenario.Variant, guidance: SystemProfile.Guidance? = nil
  ) async throws(RunError) -> Transcript {
    guard scenario.mistakes.isEmpty else { throw RunError(scenario.mistakes) }
    var profile = try simulators.profile(of: scenario, variant)
    if let guidance { profile.guidance = guidance }
    let needsDirectory = alwaysUsesDirectory || runsCode(of: scenario) || scenario.readsFolders
    let container = needsDirectory ? try makeContainer(scenario, profile) : nil
    var run = makeRun(scenario, variant, profile, in: container)
    let killsCode = (scenario.launch + scenario.steps).contains {
      $0.isInterrupted && ($0.runsCode || $0.onlyLaunchesApp && run.launchRunsCode)
    }
    if killsCode { container?.recordChanges() }
    do throws(StepFailure) {
      try run.copyStartContainer()
      for step in scenario.steps {
        guard !Task.isCancelled else { throw .cancelled }
        LongWork.current?.note("\(step.reference.withSummary) on \(variant)")
        try await run.run(step)
      }
      run.currentStep = scenario.lastStep
      try run.recordUnsafeReferences()
      try await run.checkAppAtEnd()
      try run.requireDiskEqualsTree()
      if awaitsLateWork { try await run.awaitLateWork() }
    } catch {
      run.transcript.failure = Transcript.Failure(error, at: run.currentStep)
    }
    run.endApp()
    run.recordWhereMarksAreSeen()
    do throws(RunError) {
      if let container { try removeContainer(container, run.tree) }
    } catch {
      // The failed removal counts as a failure of the step that ended the run, or else of the last
      // step.
      let earlierFailure = run.transcript.failure
      run.transcript.failure = Transcript.Failure(
        step: earlierFailure?.step ?? scenario.lastStep,
        message: earlierFailure.map { "\($0.message); \(error)" } ?? error.description,
        outcome: earlierFailure?.outcome ?? StepFailure(error).outcome)
    }
    return run.transcript
  }

  private func makeContainer(
    _ scenario: Scenario, _ profile: SystemProfile
  ) throws(RunError) -> FakeContainer {
    let container = try FakeContainer(laidOutAs: profile.layout(of: scenario.app))
    try container.configure(scenario.app, on: profile)
    if !host.runsInTestProcess || permissions.contains(.processes), let library = TapLibrary.find()
    {
      container.tapProcesses(by: library)
    }
    return container
  }

  /// Creates a run in `container`, which must be new. If `container` is nil, the run uses a model
  /// of a disk; the scenario must then run no code and read no folder.
  private func makeRun(
    _ scenario: Scenario, _ variant: Scenario.Variant, _ profile: SystemProfile,
    in container: FakeContainer?
  ) -> ScenarioRun {
    let disk: any RunDisk =
      container.map { DirectoryDisk($0, simulators.apply) } ?? ModelDisk()
    var run = ScenarioRun(
      scenario, variant, profile: profile, by: self, disk: disk,
      firstTree: profile.layout(of: scenario.app).tree, firstStep: scenario.firstStep)
    run.launchHistory = container != nil && scenario.fillsStorage ? LaunchHistory() : nil
    run.transcript.mayHaveFoundationFiles = host.runsCodeAtLaunch
    return run
  }

  /// Begins a run for exploration, in a container of its own.
  package func beginRunInDirectory(_ scenario: Scenario, _ variant: Scenario.Variant) throws
    -> ScenarioRun
  {
    let profile = try simulators.profile(of: scenario, variant)
    let container = try makeContainer(scenario, profile)
    var run = makeRun(scenario, variant, profile, in: container)
    container.recordChanges()
    do throws(StepFailure) {
      try run.copyStartContainer()
    } catch {
      throw Transcript.Failure(error, at: run.currentStep)
    }
    return run
  }
}

extension Scenario {
  func launchRunsCode(on host: any AppHost) -> Bool {
    host.runsCodeAtLaunch || launch.contains(where: \.runsCode)
  }
}

extension SystemProfile {
  /// Returns the items in a new app's containers.
  func layout(of app: Scenario.App) -> FileTree.Layout {
    layout(bundleIdentifier: app.bundleIdentifier)
      .addingContainers(groups: app.groups, extensions: app.extensions)
  }
}

extension Scenario {
  /// The reference of the first step. Events before the first step have this reference too. In a
  /// scenario without steps, the reference stands for the beginning.
  var firstStep: StepReference {
    steps.first?.reference
      ?? StepReference(
        number: .step(1), position: .start, summary: "begin")
  }

  fileprivate var lastStep: StepReference { steps.last?.reference ?? firstStep }

  /// True if the scenario reads folders of the machine: a container to start from, or backups.
  package var readsFolders: Bool { start != nil || steps.contains(where: \.restoresFolder) }

  var fillsStorage: Bool { steps.contains { $0.interruptionPoint?.isStorageFull == true } }
}

/// The functions with which a run performs steps. Tests replace them with wrong functions.
package struct Simulators: Sendable {
  /// Returns the profile of a version of iOS; nil if the kit does not know the version.
  package var profile: @Sendable (SystemVersion) -> SystemProfile?
  /// Returns true if a step runs on the device's current iOS version and with the app's current
  /// version.
  package var applies: @Sendable (Scenario.Step, SystemVersion, String) -> Bool
  var perform: @Sendable (StepAction, inout ScenarioRun) async throws(StepFailure) -> Void
  package var backUp: @Sendable (FileTree, SystemProfile, SystemProfile.BackupKind) -> BackupSet
  package var purge: @Sendable (FileTree, SystemProfile, PurgeSimulator.Pressure) -> FileTree
  package var update:
    @Sendable (FileTree, UpdateSimulator, [ContainerPath], [PathPattern]) -> FileTree
  package var restore: @Sendable (FileTree, RestoreSimulator, BackupSet) -> FileTree
  package var offload: @Sendable (FileTree, OffloadSimulator) -> FileTree
  /// Returns the container after the user has deleted the app and installed it again.
  package var delete: @Sendable (FileTree, OffloadSimulator) -> FileTree
  package var apply: @Sendable (FileOperation, FakeContainer) throws(FileOperation.Failure) -> Void

  package static let standard = Simulators(
    profile: { version in SystemProfile.all.first { $0.version == version } },
    applies: { $0.applies(on: $1) && $0.applies(with: $2) },
    perform: { action, run throws(StepFailure) in try await run.carryOut(action) },
    backUp: { BackupSimulator(profile: $1, backups: $2).backUp($0) },
    purge: { PurgeSimulator(profile: $1).containerAfterPurge(of: $0, $2) },
    update: { $1.update($0, keeping: $2, losing: $3) },
    restore: { $1.restore($0, from: $2) },
    offload: { $1.offload($0) },
    delete: { $1.delete($0) },
    apply: { operation, container throws(FileOperation.Failure) in
      try container.apply(operation)
    })

  /// Returns the profile of the iOS version of a run, with the scenario's guidance on marks.
  func profile(
    of scenario: Scenario, _ variant: Scenario.Variant
  ) throws(RunError) -> SystemProfile {
    guard var profile = profile(variant.system) else {
      throw RunError(.unknownSystem, "unknown version of iOS \(variant.system)")
    }
    profile.guidance = scenario.guidance
    return profile
  }
}
