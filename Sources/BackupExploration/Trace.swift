import BackupCollections
import BackupFileTree
import BackupRules
import BackupScenarios

/// A path through what can happen: a run as far as it has come, and what the rules make of it.
struct Trace: Sendable {
  @Boxed var run: ScenarioRun
  @Boxed var monitor: RunMonitor
  var transitions: [Transition] = []
  var injected: [InjectedEvent] = []
  private(set) var violations: [Violation] = []
  var block = 0
  /// The step in which the app was killed, until its block has been done again.
  var interruptedStep: Int?
  /// The steps that fail without injected events too, which the run goes on after.
  var knownFailures: Set<Scenario.StepReference> = []
  /// Findings that a trace does not report: it skips a block, or an event comes before the repetition.
  var excused: Set<FindingKey> = []
  /// Whether another trace went on from its state, and it only tells whether a finding is explained.
  var isConfirming = false
  /// The user's data when the last event was over; nil before the first, and after a kill that is followed by a
  /// repetition.
  var kept: KeptData?
  /// How many violations there were before the first injected event: the baseline has them too.
  private(set) var baselineCount = 0
  /// The states that it was the first to come to, since an event was injected, with the number of
  /// violations until then.
  var nodes: [(node: SearchNode, violationCount: Int)] = []
  /// The killed step without the kill, if it ran the app's own code.
  var rehearsal: Rehearsal?

  /// True if the step in which the app was killed is never done again.
  var skipsInterruptedStep: Bool { injected.last?.recovery == .skip }

  /// True if something has happened since the app was killed, so that what it had done may be gone.
  var wasDisturbedSinceKill: Bool { interruptedStep != nil && injected.last?.crashPoint == nil }

  init(_ run: ScenarioRun) {
    self.run = run
    self.monitor = RunMonitor(run.settledTranscript)
  }

  mutating func inject(_ event: InjectedEvent) {
    if injected.isEmpty { baselineCount = violations.count }
    injected.append(event)
  }

  /// Applies a transition, and gives the events that follow; `rehearsal` is what the step does in which the
  /// app is killed, if it runs code of its own.
  @discardableResult
  mutating func perform(
    _ transition: Transition, of plan: Plan, as rehearsal: Rehearsal? = nil
  ) async throws(Transcript.Failure) -> [Transcript.Entry] {
    transitions.append(transition)
    var error: Transcript.Failure?
    var events: [Transcript.Entry] = []
    let steps = plan.steps(of: transition, before: block)
    for step in steps where error == nil {
      do throws(Transcript.Failure) {
        try await run.perform(
          step, as: rehearsal, keepingBackups: transition.restoresOwnBackup)
      } catch let failure {
        error = failure
      }
      let entries = run.takeEntries()
      // An app that does not catch the error does not come to what follows.
      if !injected.isEmpty, !step.runsCode,
        let index = entries.firstIndex(where: {
          $0.event.failedUse != nil && !knownFailures.contains($0.step)
        })
      {
        observe(entries[...index])
        throw Transcript.Failure(failedUseIn: entries[index])
      }
      observe(entries)
      events += entries
    }
    if let error { throw error }
    return events
  }

  private mutating func observe(_ entries: some Sequence<Transcript.Entry>) {
    for entry in entries {
      if injected.isEmpty, entry.event.failedUse != nil { knownFailures.insert(entry.step) }
      monitor.observe(entry)
      kept?.observe(entry)
    }
    violations += monitor.takeViolations()
  }

  mutating func end() async throws(Transcript.Failure) {
    try await run.noteEnd()
    observe(run.takeEntries())
    endMonitoring()
  }

  /// Takes what the user has now for what later steps must keep.
  mutating func keepData() { kept = KeptData(run.device.tree) }

  /// Judges the end, or another trace's that this one would come to, by the ends without what was injected.
  mutating func compareEnd(_ end: FileTree, with undisturbed: [FileTree]) {
    guard let kept else { return }
    violations += monitor.losses(of: kept, comparedWith: undisturbed, at: end)
  }

  mutating func endMonitoring(afterFailure isAfterFailure: Bool = false) {
    monitor.end(afterFailure: isAfterFailure)
    violations += monitor.takeViolations()
  }

  /// Applies a transition; whether it could be done.
  ///
  /// - Throws: ``Transcript.Failure`` if it is the machine's fault that it could not.
  mutating func canPerform(
    _ transition: Transition, of plan: Plan
  ) async throws(Transcript.Failure) -> Bool {
    do throws(Transcript.Failure) {
      try await perform(transition, of: plan)
      return true
    } catch {
      if error.outcome.isOfRun { throw error }
      return false
    }
  }

  /// A copy that goes on from here whatever becomes of this one's container and app.
  func saved() throws(Transcript.Failure) -> Trace {
    guard !run.isSimulated else { return self }
    var copy = self
    copy.run = try run.saved()
    return copy
  }
}

enum TraceEnd {
  case completed
  /// Another trace shows the rest.
  case merged
  case stopped(Transcript.Failure)
  /// The step was done again without the change before which the app is killed.
  case notRepeatable(Transcript.Failure)
  /// The machine or the run itself is why, or the plan without any injected event.
  case brokenOff(Transcript.Failure)
  case cut(ExplorationCounts.Shortfall)

  init(_ failure: Transcript.Failure, of trace: Trace) {
    self =
      switch failure.outcome {
      // If a test is cancelled, the app is ended.
      case let outcome where Task.isCancelled && outcome.failedAct != .simulated:
        .cut(.cancellation)
      case .changeNeverCame: .notRepeatable(failure)
      case let outcome where trace.injected.isEmpty || outcome.isOfRun: .brokenOff(failure)
      default: .stopped(failure)
      }
  }
}

/// What a trace goes on from: two that are equal go on alike.
struct SearchNode: Hashable {
  private struct Facts: Hashable {
    let step: Int
    let isRetrying: Bool
    let wasDisturbedSinceKill: Bool
    let skippedStep: Int?
    let state: Device
    let rules: RuleState
  }

  /// The facts' hash, since they are large, and a table asks for it again whenever it grows.
  private let hash: Int
  @Boxed private var facts: Facts

  init(_ trace: Trace, before step: Int, in plan: Plan) {
    let labels = plan.restoredLabels[trace.block]
    let facts = Facts(
      step: step, isRetrying: trace.interruptedStep != nil,
      wasDisturbedSinceKill: trace.wasDisturbedSinceKill,
      skippedStep: trace.skipsInterruptedStep ? trace.injected.last?.step : nil,
      state: trace.run.reducedDevice(restoring: labels),
      rules: trace.monitor.state.reduced(restoring: labels))
    (self.hash, self.facts) = (facts.hashValue, facts)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
