import BackupCollections
import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFileTree

/// The changing state of a session: the run, and the latest look at the container, since which the
/// app's code may have changed it.
struct SessionState: Sendable {
  /// The run, with its transcript so far; changed in place, because a copy costs all of it.
  @Boxed var run: ScenarioRun
  private var watch: ContainerWatch
  /// The number from which the search for a free label begins, by the label that several backups share.
  private var nextNumbers: [String: Int] = [:]
  /// The place where the session began, and the place of each call since.
  private(set) var sites: [CallSite]
  /// The turns of the tasks whose code runs in the container.
  var turns = Turns()
  /// True if app code that a call runs has come to its end without an error, other than at a
  /// launch.
  private(set) var hasPerformed = false
  /// The error that the app's code threw in the latest call, if a rule can judge it.
  private var judged: JudgedError?

  /// Creates the state of a session that begins with a look at a new container.
  init(run: ScenarioRun, watch: ContainerWatch, site: CallSite) {
    self.run = run
    self.watch = watch
    self.sites = [site]
  }

  var callCount: Int { sites.count }

  var latest: CallSite { sites.last ?? .unknown }

  /// Requires that no call is running the app's code in the container, with its marks off.
  func requireNoTurn() throws(RunError) {
    guard turns.current != nil else { return }
    throw RunError(
      .performing,
      "the app's code of line \(latest.line) is still running in this container, in a 'perform'; "
        + "wait for it before the next call")
  }

  /// Records what the app's code did, then lets the system act. If that fails, what the system did
  /// before stays recorded.
  mutating func act<Result>(
    _ summary: String, at site: CallSite,
    _ act: (inout ScenarioRun) throws(RunError) -> Result
  ) throws(RunError) -> Result {
    judged = nil
    try look("the app's code before line \(site.line)", at: site)
    beginCall(summary, at: site)
    let result = Swift.Result { () throws(RunError) in try act(&run) }
    do throws(RunError) {
      try beginWatching(probing: false)
    } catch {
      // Then the system's changes are not known either, so the error has both messages.
      guard case .failure(let first) = result else { throw error }
      throw RunError(first.code, "\(first); \(error)")
    }
    return try result.get()
  }

  /// Looks at what the app's code did, then has the system act. A second backup of the same label gets
  /// a number.
  mutating func perform(_ step: SystemStep, at site: CallSite) throws(RunError) {
    var step = step
    if case .backup(let label) = step { step = .backup(freeLabel(like: label)) }
    let action = StepAction.system(step)
    if action.traits.contains(.needsApp) { try requireApp() }
    let code: RunError.Code =
      switch step {
      case .updateSystem: .systemNotLater
      case .place: .invalidPath
      default: .containerUnavailable
      }
    try act(action.summary, at: site) { [step] run throws(RunError) in
      try RunError.rethrowing(try run.carryOut(step), as: code)
    }
  }

  private func requireApp() throws(RunError) {
    guard run.device.app.isOffloaded else { return }
    throw RunError(
      .notInstalled,
      "the app is offloaded and cannot do anything; call 'reinstallApp()' first")
  }

  /// Returns a label that no backup has: the given one, or the given one with the first free
  /// number, from 2 on.
  mutating func freeLabel(like label: String) -> String {
    guard run.device.backups[label] != nil else { return label }
    var number = nextNumbers[label] ?? 2
    while run.device.backups["\(label) \(number)"] != nil { number += 1 }
    nextNumbers[label] = number
    return "\(label) \(number)"
  }

  /// Records what the app's code did, and begins to watch the code of a call.
  mutating func beginPerforming(_ name: String, probing: Bool, at site: CallSite) throws(RunError) {
    judged = nil
    try requireApp()
    beginCall("the app's code before line \(site.line)", at: site)
    let found = try lookAgain(isSeenToRun: false)
    beginCall(name, at: site)
    run.device.app.traits.insert(.hasRunInContainer)
    try beginWatching(probing: probing, in: found)
  }

  /// Scans the container, records what the code did, and continues to watch.
  mutating func endWatching(isSeenToRun: Bool) throws(RunError) {
    try beginWatching(probing: false, in: try lookAgain(isSeenToRun: isSeenToRun))
  }

  /// Records what the code of a call did, and keeps its error if a rule can judge it.
  mutating func endPerforming(throwing error: (any Error)?) throws(RunError) {
    hasPerformed = hasPerformed || error == nil && !run.circumstances.contains(.start)
    try endWatching(isSeenToRun: true)
    if let error { judged = try RunError.rethrowing(try run.judge(error)) }
  }

  /// Returns the transcript by which a rule judges an error that leaves a test; nil if the latest
  /// call did not throw the error, or no rule can judge it.
  func transcript(of error: any Error) -> Transcript? {
    guard let judged, judged.error == ThrownError(error) else { return nil }
    return judged.transcript
  }

  private mutating func beginWatching(probing: Bool, in found: FileTree? = nil) throws(RunError) {
    watch = try RunError.rethrowing(try run.beginWatching(probing: probing, in: found))
  }

  private mutating func lookAgain(isSeenToRun: Bool) throws(RunError) -> FileTree {
    run.transcript.stepsWithoutShim.insert(run.currentStep.number)
    return try RunError.rethrowing(
      try run.endWatching(watch, isSeenToRun: isSeenToRun).tree)
  }

  /// Records what the app's code did since the latest look.
  mutating func look(_ summary: String, at site: CallSite) throws(RunError) {
    beginCall(summary, at: site)
    try endWatching(isSeenToRun: false)
  }

  /// Counts a call, and makes it the step to which all following events belong.
  private mutating func beginCall(_ summary: String, at site: CallSite) {
    run.currentStep = site.step(sites.count, summary)
    sites.append(site)
  }
}

extension RunError {
  /// Runs a step in a session. Its failure becomes an error of the session in the same words.
  static func rethrowing<Result>(
    _ work: @autoclosure () throws(StepFailure) -> Result, as code: Code = .containerUnavailable
  ) throws(RunError) -> Result {
    do throws(StepFailure) {
      return try work()
    } catch {
      throw error.cause ?? RunError(code, error.description)
    }
  }
}

/// An error of the app's code that a rule can judge, unless the test handles it. The transcript has
/// only what the error says that the app did.
struct JudgedError {
  let error: ThrownError
  let transcript: Transcript
}

extension ScenarioRun {
  /// Judges the error that the code of the latest step threw. Returns nil for an error that no rule
  /// is about.
  ///
  /// The run keeps no note of the error, because the test may handle it.
  mutating func judge(_ error: any Error) throws(StepFailure) -> JudgedError? {
    let error = ThrownError(error)
    let count = transcript.entries.count
    let isReported = try failure(for: error).outcome.isReportedByRule
    let noted = Array(transcript.entries[count...])
    transcript.entries.removeLast(noted.count)
    guard isReported else { return nil }
    var judged = transcript
    judged.entries = noted.isEmpty ? transcript.marksInVain(at: currentStep) : noted
    return JudgedError(error: error, transcript: judged)
  }
}

extension Transcript {
  /// Returns the entries of the latest step about marks on missing items, and about marks that the
  /// system does not have.
  fileprivate func marksInVain(at step: Scenario.StepReference) -> [Entry] {
    let latest = entries.reversed().prefix { $0.step == step }.reversed()
    return latest.filter { $0.event.traits.contains(.markInVain) }
  }
}

/// The place in the source at which a test calls the kit, or app code records an issue.
package struct CallSite: Codable, Hashable, Sendable {
  /// The file as Swift names it: `CinemaTests/MovieTests.swift`.
  package let fileID: String
  package let file: String
  package let line: Int
  package let column: Int

  package init(fileID: String, file: String, line: Int, column: Int) {
    self.fileID = fileID
    self.file = file
    self.line = line
    self.column = column
  }

  package static let unknown = CallSite(fileID: "", file: "", line: 1, column: 1)

  var position: SourcePosition { SourcePosition(line: line, column: column) }

  func step(_ number: Int, _ summary: String) -> Scenario.StepReference {
    Scenario.StepReference(
      number: .call(number, line: line), position: position, summary: summary)
  }
}
