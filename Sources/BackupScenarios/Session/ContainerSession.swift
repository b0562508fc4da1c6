import BackupApp
package import BackupContainer
import BackupDevice
package import BackupDiagnostics
import BackupFileTree
import BackupJSON5

/// The device of a test without a scenario file, with a transcript of the device's events.
///
/// Between two calls to the session, the test runs the app's code in the container. Each call first
/// records the changes of this code.
package final class ContainerSession: Sendable {
  /// A number that distinguishes the backups of this session from the backups of other sessions.
  package let id = SerialNumber()
  /// The container. The reference is weak, because the container keeps this session alive. A strong
  /// reference would make a cycle.
  private weak let container: FakeContainer?
  let state: Locked<SessionState>
  /// The subjects of the findings that the test has read.
  package let seenFindings = Locked<Set<FindingSubject>>([])
  /// The progress report on the test's calls, for a person at a terminal; nil without a terminal.
  private let progress: LongWork?
  /// The turns that the current task has now, in any session. If the task already has the session's
  /// turn, a further call throws, because the call would wait forever.
  @TaskLocal private static var turns: Set<SerialNumber> = []

  package init(
    _ container: FakeContainer, _ configuration: SessionConfiguration,
    simulators: Simulators = .standard, at site: CallSite
  ) throws(RunError) {
    let scenario = configuration.scenario(named: "test", file: site.file)
    let variant = Scenario.Variant(
      system: configuration.profile.version, backups: configuration.backups)
    self.container = container
    self.progress = LongWork.begin("the test at \(site.file):\(site.line)", .ifProgressed)
    try container.configure(configuration.app, on: configuration.profile)
    let watch = try container.beginWatching(probing: false)
    var runner = ScenarioRunner()
    (runner.simulators, runner.limits) = (simulators, .none)
    // The container keeps this session alive, so the session must not keep the container alive.
    var run = ScenarioRun(
      scenario, variant, profile: configuration.profile, by: runner,
      disk: DirectoryDisk(container, simulators.apply, keepsContainer: false),
      firstTree: watch.snapshot.tree, firstStep: site.step(0, "begin"))
    run.archivePolicy = .all
    self.state = Locked(SessionState(run: run, watch: watch, site: site))
  }

  deinit { progress?.end() }

  /// Begins a progress report on one call, which may take long. Returns nil without a terminal.
  private func beginProgressReport(_ summary: String, at site: CallSite) -> LongWork? {
    guard let progress else { return nil }
    let callNumber = state.withLock(\.callCount) + 1
    progress.note("call \(callNumber), line \(site.line)")
    return LongWork.begin("line \(site.line) of \(site.file): \(summary)")
  }

  /// The subject of a finding: its rule and its item. A finding without an item has its message in
  /// place of the item.
  package struct FindingSubject: Hashable, Sendable {
    private let rule: String
    private let item: String

    package init(rule: String, item: String) {
      self.rule = rule
      self.item = item
    }
  }

  /// Records the changes of the app's code, performs a step of iOS, and returns the event of the
  /// step.
  ///
  /// If the step fails halfway, the transcript may still get the event of the step.
  @discardableResult
  package func perform(
    _ step: SystemStep, at site: CallSite
  ) throws(RunError) -> Transcript.Event? {
    try withStateInCall(StepAction.system(step).summary, at: site) { state throws(RunError) in
      try state.perform(step, at: site)
      return state.run.transcript.entries.last?.event
    }
  }

  /// Returns the transcript as it would be if a backup were taken now. The backup is the
  /// transcript's last entry.
  package func transcriptWithTrialBackup(at site: CallSite) throws(RunError) -> Transcript {
    try withStateInCall("explain", at: site) { state throws(RunError) in
      try state.recordCodeAndPerform("explain", at: site) { run throws(RunError) in
        var trialRun = run
        trialRun.archivePolicy = .none
        try RunError.rethrowing(try trialRun.takeBackup("next"))
        return trialRun.transcript
      }
    }
  }

  /// Reads or changes the state for one call. Throws if another call is running the app's code.
  private func withStateInCall<Result>(
    _ summary: String, at site: CallSite,
    _ body: (inout SessionState) throws(RunError) -> Result
  ) throws(RunError) -> Result {
    let progressReport = beginProgressReport(summary, at: site)
    defer { progressReport?.end() }
    return try withState { state throws(RunError) in
      try state.requireNoRunningCode()
      return try body(&state)
    }
  }

  /// Waits until no other task's code runs, and then runs code of the app or of the extension
  /// `identifier`.
  ///
  /// Throws if this call is within another call of the session. If `probing` is true, the kit hides
  /// all marks while the code runs. `isInProcess` is true if the code runs in this process.
  package func perform<Result>(
    _ name: String, probing: Bool, in identifier: String? = nil, inProcess isInProcess: Bool = true,
    isOfStart: Bool = false, at site: CallSite, isolation: isolated (any Actor)? = #isolation,
    _ code: () async throws -> Result
  ) async throws -> Result {
    let turn = SerialNumber()
    try await takeTurn(turn)
    let progressReport = beginProgressReport(name, at: site)
    defer { progressReport?.end() }
    defer { state.withLock { $0.turns.end() }?() }
    let container = try withState { state throws(RunError) in
      try state.beginPerforming(name, probing: probing, at: site)
      if isOfStart { state.run.circumstances.insert(.start) }
      return try RunError.rethrowing(try state.run.requiredContainer())
    }
    let result: Swift.Result<Result, any Error>
    do {
      let turns = Self.turns.union([turn])
      result = .success(
        try await Self.$turns.withValue(turns) {
          try await container.runCode(extension: identifier, inProcess: isInProcess) {
            try await code()
          }
        })
    } catch {
      result = .failure(error)
    }
    try withState { state throws(RunError) in
      defer { state.run.circumstances.remove(.start) }
      let thrownError: (any Error)? = if case .failure(let error) = result { error } else { nil }
      try state.endPerforming(throwing: thrownError)
    }
    return try result.get()
  }

  /// Returns a transcript from which a rule can judge an error that a test throws. Returns nil if
  /// no rule judges the error, or if the code of the latest call did not throw it.
  package func transcript(of error: any Error) -> Transcript? {
    state.withLock { $0.transcript(of: error) }
  }

  /// Returns the transcript so far, including the changes of the app's code since the last call.
  package func transcript() throws(RunError) -> Transcript {
    try withState { state throws(RunError) in
      try state.requireNoRunningCode()
      try state.recordCode(
        "the app's code after line \(state.latestSite.line)", at: state.latestSite)
      var run = state.run
      try RunError.rethrowing(try run.recordUnsafeReferences())
      run.recordWhereMarksAreSeen()
      return run.transcript
    }
  }

  /// True if the app code of a call, other than a launch, has returned without an error.
  package var hasPerformedCode: Bool { state.withLock { $0.hasPerformedCode } }

  /// Throws if a call is running the app's code in the container.
  package func requireNoRunningCode() throws(RunError) {
    try state.withLock { state throws(RunError) in try state.requireNoRunningCode() }
  }

  /// Returns the position in the test's source of the call that is a step of the transcript; nil
  /// for any other step.
  package func site(of step: Scenario.StepReference) -> CallSite? {
    guard case .call(let number, _) = step.number else { return nil }
    return state.withLock { $0.sites.indices.contains(number) ? $0.sites[number] : nil }
  }

  /// Reads or changes the state while the container exists.
  private func withState<Result>(
    _ body: (inout SessionState) throws(RunError) -> Result
  ) throws(RunError) -> Result {
    guard let container else {
      throw RunError(.containerUnavailable, "the container is gone: \(FakeContainer.goneAdvice)")
    }
    return try withExtendedLifetime(container) { _ throws(RunError) in
      try state.withLock(body)
    }
  }

  /// Waits until no other task's code runs in the container, and takes the turn.
  private func takeTurn(
    _ turn: SerialNumber, isolation: isolated (any Actor)? = #isolation
  ) async throws {
    try state.withLock { state throws(RunError) in
      if let current = state.turns.current, Self.turns.contains(current) {
        try state.requireNoRunningCode()
      }
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let answer = state.withLock { state in
          state.turns.ask(for: turn, isCancelled: Task.isCancelled, continuation)
        }
        answer?()
      }
    } onCancel: {
      state.withLock { $0.turns.leave(turn) }?()
    }
  }

  /// Adds the classes that all tests of the app share to the classes of this test, for the whole
  /// session.
  ///
  /// - Throws: `RunError` with the code `.invalidApp` if the test launched an app with other shared
  ///   classes before.
  package func add(sharedPromises files: FilePromises) throws(RunError) {
    try state.withLock { state throws(RunError) in
      try state.run.transcript.add(sharedPromises: files)
    }
  }

  /// Ends the app or an extension if it runs, and launches it. When the session ends, the new
  /// process ends too.
  package func launch(
    _ host: any AppHost, extension identifier: String? = nil, at site: CallSite
  ) async throws -> any RunningApp {
    let begunLaunch = try withStateInCall("launch", at: site) { state throws(RunError) in
      try state.recordCodeAndPerform("launch", at: site) { run throws(RunError) in
        try run.beginLaunch(of: identifier)
      }
    }
    let launchCount = begunLaunch.launch.launchCount
    // The launch is over when the launch code has run. Until then, the session refuses another
    // launch.
    defer { state.withLock { $0.run.processes.endLaunch(launchCount, of: identifier) } }
    let app: any RunningApp
    do throws(AppFailure) {
      app = try await host.start(begunLaunch.launch, in: begunLaunch.container)
    } catch {
      throw RunError(.appEnded, error.description)
    }
    try add(app, ofLaunch: launchCount, of: identifier)
    guard host.runsCodeAtLaunch else { return app }
    try await reportingEarlyEnd {
      try await perform(
        "launch", probing: true, in: identifier, inProcess: host.runsInTestProcess, isOfStart: true,
        at: site
      ) {
        try await app.launch(begunLaunch.launch)
      }
    }
    if identifier == nil { try await checkApp(on: host) }
    return app
  }

  /// Runs the app's own check after a launch, if the check is due.
  private func checkApp(on host: any AppHost) async throws {
    let check = try state.withLock { state throws(RunError) in
      try RunError.rethrowing(try state.run.takeDueCheck(on: host))
    }
    guard let check else { return }
    do throws(StepFailure) {
      guard let failure = try await check.run() else { return }
      try state.withLock { state throws(StepFailure) in try state.run.record(failure) }
    } catch {
      throw error.containerError ?? RunError(.containerUnavailable, error.description)
    }
  }

  /// Adds a started app to the run. If another call has ended the launch meanwhile, ends the app
  /// and throws.
  private func add(
    _ app: any RunningApp, ofLaunch launchCount: Int, of identifier: String?
  ) throws(RunError) {
    let isAdded = state.withLock {
      $0.run.processes.add(app, ofLaunch: launchCount, of: identifier)
    }
    guard !isAdded else { return }
    app.end()
    throw RunError(
      .appEnded,
      "another call, such as a kill or a purge, ended the app while it was starting; wait for each "
        + "'launch' before the test's next call")
  }

  /// Runs an action in the app or in an extension. `arguments` is the text of a JSON object.
  package func perform(
    _ name: String, with arguments: [UInt8], in app: any RunningApp, of host: any AppHost,
    extension identifier: String? = nil, at site: CallSite
  ) async throws {
    let argumentsValue: LocatedValue
    do throws(SyntaxError) {
      argumentsValue = try JSON5Reader.read(arguments)
    } catch {
      throw RunError(
        .invalidApp,
        "the arguments of the action '\(name)' cannot be passed on: \(error.embeddedMessage)")
    }
    guard case .object(let members) = argumentsValue.kind else {
      throw RunError(
        .invalidApp,
        "the arguments of the action '\(name)' are not an object of names and values; pass an "
          + "object, such as [\"id\": 7]")
    }
    let arguments = ActionArguments(members: members, actionName: name)
    guard let binding = host.actions.bindings[name] else {
      throw RunError(
        .invalidApp, arguments.unboundActionMessage(name, boundNames: host.actions.names))
    }
    guard !app.hasEnded else {
      throw RunError(
        .appEnded,
        "the app has ended since it was launched; launch it again before it performs '\(name)'")
    }
    try await reportingEarlyEnd {
      try await perform(
        name, probing: binding.probesMarks, in: identifier, inProcess: host.runsInTestProcess,
        at: site
      ) {
        let launch = try state.withLock { try $0.run.launchFacts(of: identifier) }
        try await app.perform(ActionCall(name: name, launch: launch, arguments: arguments))
      }
    }
  }

  /// Ends the app, because its test has ended.
  package func endApp() {
    state.withLock { $0.run.endApp() }
  }

  /// Runs work of the app. If the app ends before its code returns, throws a `RunError` with the
  /// code `.appEnded`.
  private func reportingEarlyEnd(_ work: () async throws -> Void) async throws {
    do {
      try await work()
    } catch let failure as AppFailure {
      throw RunError(.appEnded, failure.description)
    }
  }
}

extension ScenarioRun {
  /// Begins a launch that a test requests. Returns the facts that the app's code can read, and the
  /// container.
  fileprivate mutating func beginLaunch(
    of identifier: String?
  ) throws(RunError) -> (launch: AppLaunch, container: FakeContainer) {
    guard processes.launchesInProgress[identifier] == nil else {
      throw RunError(
        .performing,
        "another 'launch' in this container has not finished; wait for each 'launch' before the "
          + "test's next call")
    }
    let container = try RunError.rethrowing(try requiredContainer())
    if let identifier {
      guard container.url(ofExtension: identifier) != nil else {
        throw RunError(
          .invalidApp,
          "the app has no extension '\(identifier.escapedExcerpt)'; add it when the container is created: "
            + "extensions: [\"\(identifier.escapedExcerpt)\"]")
      }
      beginNewLaunch(of: identifier)
    } else {
      try RunError.rethrowing(try beginNewLaunch())
    }
    return (try RunError.rethrowing(try launchFacts(of: identifier)), container)
  }
}
