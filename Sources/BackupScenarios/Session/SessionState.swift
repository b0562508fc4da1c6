import BackupCollections
import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFileTree

/// The state of a session, which each call changes: the run, and the latest snapshot of the
/// container.
struct SessionState: Sendable {
  /// The run. Calls change it in place, because a copy of the run would copy the transcript.
  @Boxed var run: ScenarioRun
  /// The latest snapshot of the container.
  private var watch: ContainerWatch
  /// For each label that a test has given to several backups, the next number to try for a free
  /// label.
  private var nextLabelNumbers: [String: Int] = [:]
  /// The position in the test's source where the session began, then the position of each call.
  private(set) var sites: [CallSite]
  /// The turns of the tasks that run code in the container, one task at a time.
  var turns = Turns()
  /// True if the app code of a call, other than a launch, has returned without an error.
  private(set) var hasPerformedCode = false
  /// The error that the app's code threw in the latest call, if a rule can judge the error.
  private var judgedError: JudgedError?

  /// Creates the state of a session with the first snapshot of its container.
  init(run: ScenarioRun, watch: ContainerWatch, site: CallSite) {
    self.run = run
    self.watch = watch
    self.sites = [site]
  }

  var callCount: Int { sites.count }

  var latestSite: CallSite { sites.last ?? .unknown }

  /// Throws if a call is running the app's code in the container.
  func requireNoRunningCode() throws(RunError) {
    guard turns.current != nil else { return }
    throw RunError(
      .performing,
      "the app's code of line \(latestSite.line) is still running in this container, in a 'perform'; "
        + "wait for it before the next call")
  }

  /// Records the changes of the app's code, and then performs work of iOS. If the work fails, the
  /// events before the failure stay in the transcript.
  mutating func recordCodeAndPerform<Result>(
    _ summary: String, at site: CallSite,
    _ work: (inout ScenarioRun) throws(RunError) -> Result
  ) throws(RunError) -> Result {
    judgedError = nil
    try recordCode("the app's code before line \(site.line)", at: site)
    beginCall(summary, at: site)
    let workResult = Swift.Result { () throws(RunError) in try work(&run) }
    do throws(RunError) {
      try beginWatching(probing: false)
    } catch {
      // The work and the snapshot after it have both failed, so the error has both messages.
      guard case .failure(let workError) = workResult else { throw error }
      throw RunError(workError.code, "\(workError); \(error)")
    }
    return try workResult.get()
  }

  /// Records the changes of the app's code, and then performs a step of iOS. A second backup with
  /// the same label gets a number after its label.
  mutating func perform(_ step: SystemStep, at site: CallSite) throws(RunError) {
    var step = step
    if case .backup(let label) = step { step = .backup(freeLabel(like: label)) }
    let action = StepAction.system(step)
    if action.traits.contains(.needsApp) { try requireApp() }
    let errorCode: RunError.Code =
      switch step {
      case .updateSystem: .systemNotLater
      case .place: .invalidPath
      default: .containerUnavailable
      }
    try recordCodeAndPerform(action.summary, at: site) { [step] run throws(RunError) in
      try RunError.rethrowing(try run.carryOut(step), as: errorCode)
    }
  }

  private func requireApp() throws(RunError) {
    guard run.device.app.isOffloaded else { return }
    throw RunError(
      .notInstalled,
      "the app is offloaded and cannot do anything; call 'reinstallApp()' first")
  }

  /// Returns a label that no backup has. If `label` is in use, appends the first free number, from
  /// 2 on.
  mutating func freeLabel(like label: String) -> String {
    guard run.device.backups[label] != nil else { return label }
    var number = nextLabelNumbers[label] ?? 2
    while run.device.backups["\(label) \(number)"] != nil { number += 1 }
    nextLabelNumbers[label] = number
    return "\(label) \(number)"
  }

  /// Records the changes of earlier code of the app, and takes a snapshot before the code of a
  /// call.
  mutating func beginPerforming(_ name: String, probing: Bool, at site: CallSite) throws(RunError) {
    judgedError = nil
    try requireApp()
    beginCall("the app's code before line \(site.line)", at: site)
    let tree = try endWatching(hasRun: false)
    beginCall(name, at: site)
    run.device.app.traits.insert(.hasRunInContainer)
    try beginWatching(probing: probing, in: tree)
  }

  /// Records the changes of the code of a call. Keeps the error of the code if a rule can judge
  /// this error.
  mutating func endPerforming(throwing error: (any Error)?) throws(RunError) {
    hasPerformedCode = hasPerformedCode || error == nil && !run.circumstances.contains(.start)
    try recordCode(hasRun: true)
    if let error { judgedError = try RunError.rethrowing(try run.judge(error)) }
  }

  /// Returns the transcript from which a rule can judge an error that a test throws. Returns nil if
  /// no rule judges the error, or if the code of the latest call did not throw it.
  func transcript(of error: any Error) -> Transcript? {
    guard let judgedError, judgedError.error == ThrownError(error) else { return nil }
    return judgedError.transcript
  }

  private mutating func beginWatching(probing: Bool, in tree: FileTree? = nil) throws(RunError) {
    watch = try RunError.rethrowing(try run.beginWatching(probing: probing, in: tree))
  }

  /// Scans the container, records the changes since the latest snapshot, and returns the tree.
  private mutating func endWatching(hasRun: Bool) throws(RunError) -> FileTree {
    run.transcript.stepsWithoutShim.insert(run.currentStep.number)
    return try RunError.rethrowing(
      try run.endWatching(watch, codeHasRun: hasRun).tree)
  }

  /// Records the changes of the app's code since the latest snapshot, with a step of their own.
  mutating func recordCode(_ summary: String, at site: CallSite) throws(RunError) {
    beginCall(summary, at: site)
    try recordCode(hasRun: false)
  }

  /// Records the changes of the app's code since the latest snapshot, and takes a new snapshot.
  private mutating func recordCode(hasRun: Bool) throws(RunError) {
    try beginWatching(probing: false, in: try endWatching(hasRun: hasRun))
  }

  /// Counts a call. The call is the step of the following events.
  private mutating func beginCall(_ summary: String, at site: CallSite) {
    run.currentStep = site.step(sites.count, summary)
    sites.append(site)
  }
}

extension RunError {
  /// Runs work of a step in a session. Turns the failure of the step into an error with the same
  /// message.
  static func rethrowing<Result>(
    _ work: @autoclosure () throws(StepFailure) -> Result, as code: Code = .containerUnavailable
  ) throws(RunError) -> Result {
    do throws(StepFailure) {
      return try work()
    } catch {
      throw error.containerError ?? RunError(code, error.description)
    }
  }
}

/// An error of the app's code that a rule can judge. The rule judges the error only if the test
/// does not handle it.
struct JudgedError {
  let error: ThrownError
  /// The transcript of the session, but with only those events that the error is about.
  let transcript: Transcript
}

extension ScenarioRun {
  /// Returns an error of the latest step's code with the events that the error is about; nil if no
  /// rule judges the error.
  ///
  /// The run's own transcript does not keep these events, because the test may handle the error.
  mutating func judge(_ error: any Error) throws(StepFailure) -> JudgedError? {
    let error = ThrownError(error)
    let earlierEntryCount = transcript.entries.count
    let isReported = try failure(for: error).outcome.isReportedByRule
    let recordedEntries = Array(transcript.entries[earlierEntryCount...])
    transcript.entries.removeLast(recordedEntries.count)
    guard isReported else { return nil }
    var judgedTranscript = transcript
    judgedTranscript.entries =
      recordedEntries.isEmpty ? transcript.failedMarkEntries(at: currentStep) : recordedEntries
    return JudgedError(error: error, transcript: judgedTranscript)
  }
}

extension Transcript {
  /// Returns the entries of a step in which the app marked a missing item, or used a mark that iOS
  /// does not have.
  fileprivate func failedMarkEntries(at step: Scenario.StepReference) -> [Entry] {
    let latestEntries = entries.reversed().prefix { $0.step == step }.reversed()
    return latestEntries.filter { $0.event.traits.contains(.failedMark) }
  }
}

/// The place in the source where a test calls the kit, or where app code records an issue.
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
