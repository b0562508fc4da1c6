package import BackupContainer
import BackupDevice
package import Foundation

/// The device that a test without a scenario file acts on, with a transcript of what happened.
///
/// Between two calls the test's own code works in the container; each call first looks at what it
/// did there.
package final class ContainerSession: Sendable {
  /// The run, and the look at the container since which the app's code has been at work.
  fileprivate struct State: Sendable {
    /// What happened so far.
    var run: ScenarioRun
    /// The latest look.
    var watch: ContainerWatch
    /// How many calls there were.
    var calls = 0
    /// The latest call of the test's.
    var latest: CallSite
  }

  /// What tells this session's backups from those of another.
  package let id = UUID()
  /// What changes.
  private let state: Locked<State>

  /// Begins in a container that was just laid out.
  package init(
    _ container: FakeContainer, _ configuration: SessionConfiguration, at site: CallSite
  ) throws(RunError) {
    let scenario = configuration.scenario(named: "test", file: site.file)
    let variant = Scenario.Variant(
      system: configuration.profile.version, backups: configuration.backups)
    let firstStep = Scenario.StepReference(
      number: .call(0, line: site.line), position: site.position, summary: "begin")
    do throws(FakeContainerError) {
      var run = try ScenarioRun(
        scenario, variant, profile: configuration.profile, device: .standard,
        actions: AppActions(), container: container, firstStep: firstStep)
      run.archivesEveryBackup = true
      let watch = try container.beginWatching(probing: false)
      self.state = Locked(State(run: run, watch: watch, latest: site))
    } catch {
      throw RunError(error.description)
    }
  }

  /// Looks at what the app's code did, then lets the system act.
  ///
  /// - Parameters:
  ///   - summary: What the system does, in a few words.
  ///   - site: Where the test asks for it.
  ///   - act: Does it.
  /// - Returns: What `act` returns.
  /// - Throws: ``RunError`` where the container cannot be read or written, or `act` fails.
  package func act<Result>(
    _ summary: String, at site: CallSite,
    _ act: (inout SessionDevice) throws(StepFailure) -> Result
  ) throws(RunError) -> Result {
    try withState { state throws(StepFailure) in
      try state.look("the app's code before line \(site.line)", at: site)
      state.beginCall(summary, at: site)
      var acts = SessionDevice(run: state.run)
      let result = try act(&acts)
      state.run = acts.run
      state.watch = try state.run.beginWatching(probing: false)
      return result
    }
  }

  /// Runs the app's code with the marks taken off meanwhile.
  ///
  /// - Parameters:
  ///   - name: What the code does, for findings.
  ///   - probing: Whether the marks are taken off.
  ///   - site: Where the test calls it.
  ///   - isolation: The caller's actor.
  ///   - code: The app's code.
  /// - Returns: What the code returns.
  /// - Throws: What the code throws; ``RunError`` where the container cannot be read or written.
  package func perform<Result>(
    _ name: String, probing: Bool, at site: CallSite,
    isolation: isolated (any Actor)? = #isolation, _ code: () async throws -> Result
  ) async throws -> Result {
    let container = try act(name, at: site) { acts throws(StepFailure) in acts.run.container }
    try beginWatching(probing: probing)
    let result: Swift.Result<Result, any Error>
    do {
      result = .success(try await FakeContainer.$current.withValue(container) { try await code() })
    } catch {
      result = .failure(error)
    }
    try endWatching()
    return try result.get()
  }

  /// What happened so far, the app's code since the last call included.
  package func transcript() throws(RunError) -> Transcript {
    try withState { state throws(StepFailure) in
      let site = state.latest
      try state.look("the app's code after line \(site.line)", at: site)
      return state.run.transcript
    }
  }

  /// Looks at the container before code runs.
  private func beginWatching(probing: Bool) throws(RunError) {
    try withState { state throws(StepFailure) in
      state.watch = try state.run.beginWatching(probing: probing)
    }
  }

  /// Looks again and records what the code did.
  private func endWatching() throws(RunError) {
    try withState { state throws(StepFailure) in
      try state.run.endWatching(state.watch)
      state.watch = try state.run.beginWatching(probing: false)
    }
  }

  /// Looks at or changes the state, alone; a failure is an error of the run's.
  private func withState<Result>(
    _ body: (inout State) throws(StepFailure) -> Result
  ) throws(RunError) -> Result {
    do throws(StepFailure) {
      return try state.withLock(body)
    } catch {
      throw RunError(error.description)
    }
  }
}

extension ContainerSession.State {
  /// Records what the app's code did since the latest look.
  fileprivate mutating func look(_ summary: String, at site: CallSite) throws(StepFailure) {
    beginCall(summary, at: site)
    try run.endWatching(watch)
    watch = try run.beginWatching(probing: false)
  }

  /// Counts a call and makes it the step that whatever happens next belongs to.
  fileprivate mutating func beginCall(_ summary: String, at site: CallSite) {
    calls += 1
    latest = site
    run.currentStep = Scenario.StepReference(
      number: .call(calls, line: site.line), position: site.position, summary: summary)
  }
}
