import BackupContainer
import BackupFileTree

/// What changes in a session: the run, and the look at the container since which the app's code has
/// been at work.
struct SessionState: Sendable {
  /// The device, with what happened so far; changed where it is, since a copy costs all of that.
  private var device: SessionDevice
  private var watch: ContainerWatch
  /// Where the session began, and each call since.
  private(set) var sites: [CallSite]
  /// Whose code runs in the container.
  var turns = Turns()
  /// The error that the app's code threw out of the latest call, where a rule can judge it.
  private var judged: JudgedError?

  /// A session that begins with a look at a container that was just laid out.
  init(run: ScenarioRun, watch: ContainerWatch, site: CallSite) {
    self.device = SessionDevice(run: run)
    self.watch = watch
    self.sites = [site]
  }

  var run: ScenarioRun { device.run }

  /// Changes the run where it is.
  mutating func changeRun<Failure: Error>(
    _ change: (inout ScenarioRun) throws(Failure) -> Void
  ) throws(Failure) {
    try change(&device.run)
  }

  var latest: CallSite { sites.last ?? .unknown }

  /// Requires that no code of the app's runs in the container, with its marks off.
  func requireNoTurn() throws(RunError) {
    guard turns.current != nil else { return }
    throw RunError(
      .performing,
      "the app's code of line \(latest.line) is still running in this container, in a 'perform'; "
        + "wait for it before the next call")
  }

  /// Looks at what the app's code did, then lets the system act; what it did until it failed stays.
  mutating func act<Result>(
    _ summary: String, at site: CallSite,
    _ act: (inout SessionDevice) throws(RunError) -> Result
  ) throws(RunError) -> Result {
    judged = nil
    try look("the app's code before line \(site.line)", at: site)
    beginCall(summary, at: site)
    do throws(RunError) {
      let result = try act(&device)
      try beginWatching(probing: false)
      return result
    } catch {
      try? beginWatching(probing: false)
      throw error
    }
  }

  /// Looks at what the app's code did, and goes on watching for code that a call names.
  mutating func beginPerforming(
    _ name: String, probing: Bool, at site: CallSite
  ) throws(RunError) {
    judged = nil
    try device.requireApp()
    beginCall("the app's code before line \(site.line)", at: site)
    let found = try lookAgain(isSeenToRun: false)
    beginCall(name, at: site)
    device.run.state.app.hasRunInContainer = true
    try beginWatching(probing: probing, in: found)
  }

  /// Looks again, records what the code did, and goes on watching.
  mutating func endWatching(isSeenToRun: Bool) throws(RunError) {
    try beginWatching(probing: false, in: try lookAgain(isSeenToRun: isSeenToRun))
  }

  /// Looks again after code that a call named, and keeps an error of it that a rule can judge.
  mutating func endPerforming(throwing error: (any Error)?) throws(RunError) {
    try endWatching(isSeenToRun: true)
    judged = error.flatMap { device.run.judge($0) }
  }

  /// What a rule can say of an error that leaves a test; nil where the latest call did not throw
  /// it, or no rule can.
  func transcript(of error: any Error) -> Transcript? {
    guard let judged, judged.error == ThrownError(error) else { return nil }
    return judged.transcript
  }

  /// Looks at the container before code runs, or takes what a look has just found.
  private mutating func beginWatching(
    probing: Bool, in found: FileTree? = nil
  ) throws(RunError) {
    watch = try RunError.rethrowing { () throws(StepFailure) in
      try device.run.beginWatching(probing: probing, in: found)
    }
  }

  /// Looks again and records what the code did.
  private mutating func lookAgain(isSeenToRun: Bool) throws(RunError) -> FileTree {
    device.run.transcript.stepsWithoutShim.insert(device.run.currentStep.number)
    return try RunError.rethrowing { () throws(StepFailure) in
      try device.run.endWatching(watch, isSeenToRun: isSeenToRun).tree
    }
  }

  /// Records what the app's code did since the latest look.
  mutating func look(_ summary: String, at site: CallSite) throws(RunError) {
    beginCall(summary, at: site)
    try endWatching(isSeenToRun: false)
  }

  /// Counts a call and makes it the step that whatever happens next belongs to.
  private mutating func beginCall(_ summary: String, at site: CallSite) {
    device.run.currentStep = site.step(sites.count, summary)
    sites.append(site)
  }
}

extension RunError {
  /// Takes a step in a session; its failure becomes an error of the session in the same words.
  static func rethrowing<Result>(
    _ code: Code = .containerUnavailable, _ work: () throws(StepFailure) -> Result
  ) throws(RunError) -> Result {
    do throws(StepFailure) {
      return try work()
    } catch {
      throw RunError(
        error.cause == nil ? code : .containerUnavailable, error.description, from: error.cause)
    }
  }
}
