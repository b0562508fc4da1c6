package import BackupContainer
import BackupDevice

/// The device that a test without a scenario file acts on, with a transcript of what happened.
///
/// Between two calls the test's own code works in the container; each call first looks at what it
/// did there.
package final class ContainerSession: Sendable {
  /// What tells this session's backups from those of another.
  package let id = SerialNumber()
  /// The container, which keeps this session.
  private weak let container: FakeContainer?
  let state: Locked<SessionState>
  /// The turns that this task is within, of whatever session.
  @TaskLocal private static var turns: Set<SerialNumber> = []

  /// Begins in a container that was just laid out.
  package init(
    _ container: FakeContainer, _ configuration: SessionConfiguration,
    simulators: Simulators = .standard, at site: CallSite
  ) throws(RunError) {
    let scenario = configuration.scenario(named: "test", file: site.file)
    let variant = Scenario.Variant(
      system: configuration.profile.version, backups: configuration.backups)
    self.container = container
    do throws(FakeContainerError) {
      try container.adopt(configuration.app, on: configuration.profile)
      let watch = try container.beginWatching(probing: false)
      var run = ScenarioRun(
        scenario, variant, profile: configuration.profile, simulators: simulators,
        host: GuestHost(AppActions()), disk: DirectoryDisk(container, simulators.apply),
        firstTree: watch.look.tree,
        firstStep: site.step(0, "begin"))
      run.archivesEveryBackup = true
      self.state = Locked(SessionState(run: run, watch: watch, site: site))
    } catch {
      throw RunError(.containerUnavailable, error.description, from: error)
    }
  }

  /// Looks at what the app's code did, then lets the system act. What the system did until it
  /// failed is in the transcript too.
  package func act<Result>(
    _ summary: String, at site: CallSite,
    _ act: (inout SessionDevice) throws(RunError) -> Result
  ) throws(RunError) -> Result {
    try withState { state throws(RunError) in
      try state.requireNoTurn()
      return try state.act(summary, at: site, act)
    }
  }

  /// Runs the app's code with the marks taken off meanwhile, when no other task's runs. Code of an
  /// `identifier` is an extension's; `watchingHome` if it may write to this process's home. A call
  /// within another of this session is an error.
  package func perform<Result>(
    _ name: String, probing: Bool, in identifier: String? = nil, watchingHome: Bool = true,
    isOfStart: Bool = false, at site: CallSite, isolation: isolated (any Actor)? = #isolation,
    _ code: () async throws -> Result
  ) async throws -> Result {
    let turn = SerialNumber()
    try await takeTurn(turn)
    defer { state.withLock { $0.turns.end() }?() }
    let container = try withState { state throws(RunError) in
      try state.beginPerforming(name, probing: probing, at: site)
      state.changeRun { $0.isStarting = isOfStart }
      return try RunError.rethrowing { () throws(StepFailure) in try state.run.directory() }
    }
    let result: Swift.Result<Result, any Error>
    do {
      let turns = Self.turns.union([turn])
      result = .success(
        try await Self.$turns.withValue(turns) {
          try await container.running(extension: identifier, watchingHome: watchingHome) {
            try await code()
          }
        })
    } catch {
      result = .failure(error)
    }
    try withState { state throws(RunError) in
      defer { state.changeRun { $0.isStarting = false } }
      try state.endPerforming(throwing: result.failure)
    }
    return try result.get()
  }

  /// What the app's code did that an error in a test is about, for the rules; nil where the latest
  /// ``perform(_:probing:at:isolation:_:)`` did not throw it, or no rule is about it.
  package func transcript(of error: any Error) -> Transcript? {
    state.withLock { $0.transcript(of: error) }
  }

  /// What happened so far, the app's code since the last call included.
  ///
  /// - Throws: ``RunError`` where the app's code still runs in a `perform`, or the container cannot
  ///   be read.
  package func transcript() throws(RunError) -> Transcript {
    try withState { state throws(RunError) in
      try state.requireNoTurn()
      try state.look("the app's code after line \(state.latest.line)", at: state.latest)
      var run = state.run
      run.noteKeptPaths()
      run.settleFoundationMarks()
      return run.transcript
    }
  }

  /// Requires that no code of the app's runs in the container.
  package func requireNoTurn() throws(RunError) {
    try state.withLock { state throws(RunError) in try state.requireNoTurn() }
  }

  /// The call that a step of the transcript stands for; nil for one of no session.
  package func site(of step: Scenario.StepReference) -> CallSite? {
    guard case .call(let number, _) = step.number else { return nil }
    return state.withLock { $0.sites.indices.contains(number) ? $0.sites[number] : nil }
  }

  /// Reads or changes the state while the container is there.
  ///
  /// - Throws: ``RunError`` where the container was let go, and what the body throws.
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

  /// Waits until no other task's code runs in the container.
  private func takeTurn(
    _ turn: SerialNumber, isolation: isolated (any Actor)? = #isolation
  ) async throws {
    try state.withLock { state throws(RunError) in
      if let current = state.turns.current, Self.turns.contains(current) {
        try state.requireNoTurn()
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
}

extension Result {
  fileprivate var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
