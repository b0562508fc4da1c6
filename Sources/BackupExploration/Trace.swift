import BackupCollections
import BackupFileTree
import BackupRules
import BackupScenarios

/// A path of the search: a run until now, with its injected events and its violations.
struct Trace: Sendable {
  @Boxed var run: ScenarioRun
  @Boxed var monitor: RunMonitor
  var transitions: [Transition] = []
  var injected: [InjectedEvent] = []
  private(set) var violations: [Violation] = []
  var block = 0
  /// The step in which the app was killed; nil after the retry of its block.
  var interruptedStep: Int?
  /// The steps that also fail without injected events. The run continues after them.
  var knownFailures: Set<Scenario.StepReference> = []
  /// The findings that a trace does not report, because it skips a block or has an event before the retry.
  var excusedFindings: Set<FindingKey> = []
  /// True if another trace has continued from the same state, and this one only shows whether a finding is explained.
  var isConfirming = false
  /// The user's data after the last event; nil before the first event, and after a kill with a retry.
  var dataToKeep: KeptData?
  /// The number of violations before the first injected event, which the baseline also has.
  private(set) var baselineCount = 0
  /// The states after an injected event that this trace was the first to reach, each with the number of violations
  /// until then.
  var firstVisits: [(node: SearchNode, violationCount: Int)] = []
  /// The number of ``firstVisits`` before the last injected event.
  private var visitCountAtEvent = 0
  /// The rehearsal of the interrupted step, if it ran the app's own code.
  var rehearsal: Rehearsal?

  var firstVisitsSinceEvent: ArraySlice<(node: SearchNode, violationCount: Int)> {
    firstVisits[visitCountAtEvent...]
  }

  /// True if the interrupted step is never retried.
  var skipsInterruptedStep: Bool { injected.last?.recovery == .skip }

  /// True if an event has followed the kill. It may have undone the work of the interrupted block.
  var wasDisturbedSinceKill: Bool { interruptedStep != nil && injected.last?.crashPoint == nil }

  init(_ run: ScenarioRun) {
    self.run = run
    self.monitor = RunMonitor(run.transcriptWithShimModules)
  }

  mutating func inject(_ event: InjectedEvent) {
    if injected.isEmpty { baselineCount = violations.count }
    injected.append(event)
    visitCountAtEvent = firstVisits.count
  }

  /// Performs a transition, and returns its events. `rehearsal` is that of an interrupted step of code; nil for any
  /// other transition.
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
      // An app that does not catch the error does not continue.
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
      dataToKeep?.observe(entry)
    }
    violations += monitor.takeViolations()
  }

  mutating func end() async throws(Transcript.Failure) {
    try await run.performFinalChecks()
    observe(run.takeEntries())
    endMonitoring()
  }

  /// Requires the later steps to keep the data that the user has now.
  mutating func updateDataToKeep() { dataToKeep = KeptData(run.device.tree) }

  /// Adds the violations at the end of this trace, or of an equal one, that the ends without the events do not have.
  mutating func compareEnd(_ end: FileTree, with undisturbed: [FileTree]) {
    guard let dataToKeep else { return }
    violations += monitor.losses(of: dataToKeep, comparedWith: undisturbed, at: end)
  }

  mutating func endMonitoring(afterFailure isAfterFailure: Bool = false) {
    monitor.end(afterFailure: isAfterFailure)
    violations += monitor.takeViolations()
  }

  /// Performs a transition, and returns true if it succeeded.
  ///
  /// - Throws: ``Transcript.Failure`` for a fault of the machine or the run.
  mutating func attempt(
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

  /// Returns a copy that can continue from here even after this trace has continued.
  func saved() throws(Transcript.Failure) -> Trace {
    guard !run.isSimulated else { return self }
    var copy = self
    copy.run = try run.saved()
    return copy
  }
}

enum TraceEnd {
  case completed
  /// Another trace has continued from the same state.
  case merged
  case stepFailed(Transcript.Failure)
  /// A repetition of the step did not make the change of the kill or the full storage.
  case notRepeatable(Transcript.Failure)
  /// The machine or the run itself failed, or the plan without injected events.
  case stoppedEarly(Transcript.Failure)
  case reachedLimit(ExplorationCounts.Shortfall)

  init(_ failure: Transcript.Failure, of trace: Trace) {
    self =
      switch failure.outcome {
      // The cancellation of a test ends the app, whose code may then fail.
      case let outcome where Task.isCancelled && outcome.failedAct != .simulated:
        .reachedLimit(.cancellation)
      case .changeNeverCame: .notRepeatable(failure)
      case let outcome where trace.injected.isEmpty || outcome.isOfRun: .stoppedEarly(failure)
      default: .stepFailed(failure)
      }
  }
}

/// A node of the search. Traces with equal nodes continue in the same way.
struct SearchNode: Hashable {
  private struct Facts: Hashable {
    let step: Int
    /// The step of the kill, from which a repetition may resume; after it, the next step, so that kills at different
    /// steps can meet.
    let interruptedStep: Int?
    let wasDisturbedSinceKill: Bool
    let skippedStep: Int?
    let state: Device
    let rules: RuleState
  }

  /// The hash of the facts, which are large: a table asks for it again each time it grows.
  private let hash: Int
  @Boxed private var facts: Facts

  init(_ trace: Trace, before step: Int, in plan: Plan) {
    let labels = plan.restoredLabels[trace.block]
    let remnants = trace.run.mayFindRemnants ? [] : trace.monitor.state.facts.remnants
    let facts = Facts(
      step: step, interruptedStep: trace.interruptedStep.map { max($0, step) },
      wasDisturbedSinceKill: trace.wasDisturbedSinceKill,
      skippedStep: trace.skipsInterruptedStep ? trace.injected.last?.step : nil,
      state: trace.run.reducedDevice(restoring: labels, without: remnants),
      rules: trace.monitor.reducedState(restoring: labels, without: remnants))
    (self.hash, self.facts) = (facts.hashValue, facts)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
