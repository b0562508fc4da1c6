import BackupCollections
import BackupFileTree
import BackupRules
import BackupScenarios

/// A trace of the search: a run so far, with its injected events and its violations.
struct Trace: Sendable {
  @Boxed var run: ScenarioRun
  @Boxed var monitor: RunMonitor
  var transitions: [Transition] = []
  var injectedEvents: [InjectedEvent] = []
  private(set) var violations: [Violation] = []
  /// The index of the next block.
  var nextBlockIndex = 0
  /// The index of the step in which the app was killed or its storage was full. The value is nil
  /// before this event, and after the retry of the block.
  var interruptedStep: Int?
  /// The steps that also fail without injected events. The run continues after them.
  var stepsWithKnownFailure: Set<Scenario.StepReference> = []
  /// The findings that the trace does not report, because it skips a block, or has an event between
  /// a kill and the retry.
  var excusedFindings: Set<FindingKey> = []
  /// True if another trace has continued from an equal state. This trace then continues only to
  /// show whether a later step explains its new violation.
  var onlyConfirmsFinding = false
  /// The user's data after the last event; nil before the first event, and after a kill with a
  /// retry.
  var dataToKeep: DataToKeep?
  /// The number of violations before the first injected event. The baseline also has these.
  private(set) var violationCountBeforeEvents = 0
  /// The states after an injected event that this trace was the first to reach. Each has the number
  /// of violations at that time.
  var firstVisits: [(node: SearchNode, violationCount: Int)] = []
  /// The number of ``firstVisits`` before the last injected event.
  private var visitCountBeforeLastEvent = 0
  /// The uninterrupted performance of the interrupted step, if the step runs the app's own code.
  var rehearsal: Rehearsal?

  var firstVisitsSinceEvent: ArraySlice<(node: SearchNode, violationCount: Int)> {
    firstVisits[visitCountBeforeLastEvent...]
  }

  /// True if the trace never retries the interrupted step.
  var skipsInterruptedStep: Bool { injectedEvents.last?.recovery == .skip }

  /// True if another event came after the kill. This event may have undone the work of the
  /// interrupted block.
  var hasEventSinceKill: Bool { interruptedStep != nil && injectedEvents.last?.crashPoint == nil }

  init(_ run: ScenarioRun) {
    self.run = run
    self.monitor = RunMonitor(run.transcriptWithShimModules)
  }

  /// Records that the next transition is an injected event.
  mutating func inject(_ event: InjectedEvent) {
    if injectedEvents.isEmpty { violationCountBeforeEvents = violations.count }
    injectedEvents.append(event)
    visitCountBeforeLastEvent = firstVisits.count
  }

  /// Performs a transition, and returns the new entries of the transcript.
  ///
  /// If the transition interrupts a step with the app's own code, `rehearsal` is the uninterrupted
  /// performance of this step, and otherwise nil.
  @discardableResult
  mutating func perform(
    _ transition: Transition, of plan: Plan, rehearsal: Rehearsal? = nil
  ) async throws(Transcript.Failure) -> [Transcript.Entry] {
    transitions.append(transition)
    var error: Transcript.Failure?
    var newEntries: [Transcript.Entry] = []
    let steps = plan.steps(of: transition, before: nextBlockIndex)
    for step in steps where error == nil {
      do throws(Transcript.Failure) {
        try await run.perform(
          step, as: rehearsal, keepingBackups: transition.restoresOwnBackup)
      } catch let failure {
        error = failure
      }
      let entries = run.takeEntries()
      // If an injected event makes the app fail to use an item, the trace stops: an app that does
      // not catch the error does not continue.
      if !injectedEvents.isEmpty, !step.runsCode,
        let index = entries.firstIndex(where: {
          $0.event.failedUseReason != nil && !stepsWithKnownFailure.contains($0.step)
        })
      {
        observe(entries[...index])
        throw Transcript.Failure(failedUseIn: entries[index])
      }
      observe(entries)
      newEntries += entries
    }
    if let error { throw error }
    return newEntries
  }

  private mutating func observe(_ entries: some Sequence<Transcript.Entry>) {
    for entry in entries {
      if injectedEvents.isEmpty, entry.event.failedUseReason != nil {
        stepsWithKnownFailure.insert(entry.step)
      }
      monitor.observe(entry)
      dataToKeep?.observe(entry)
    }
    violations += monitor.removeAllViolations()
  }

  /// Ends the run: performs the run's final checks, and lets the rules judge the end.
  mutating func end() async throws(Transcript.Failure) {
    try await run.performFinalChecks()
    observe(run.takeEntries())
    endMonitoring()
  }

  /// Records the current data of the user. Later steps must keep it.
  mutating func updateDataToKeep() { dataToKeep = DataToKeep(run.device.tree) }

  /// Adds a violation for each file with lost user data. Such data is missing at the end of this
  /// trace, but not at the ends without the injected events.
  ///
  /// `treeAtEnd` is the container at the end of this trace, or of a trace that continued from an
  /// equal state.
  mutating func compareEnd(_ treeAtEnd: FileTree, with treesWithoutEvents: [FileTree]) {
    guard let dataToKeep else { return }
    violations += monitor.losses(of: dataToKeep, comparedWith: treesWithoutEvents, at: treeAtEnd)
  }

  /// Lets the rules judge the end, and adds their violations.
  mutating func endMonitoring(afterFailure isAfterFailure: Bool = false) {
    monitor.end(afterFailure: isAfterFailure)
    violations += monitor.removeAllViolations()
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
      if error.outcome.hasCauseOutsideApp { throw error }
      return false
    }
  }

  /// Returns a copy with its own saved container. The copy can continue from this point, even after
  /// this trace has continued.
  func saved() throws(Transcript.Failure) -> Trace {
    guard !run.isSimulated else { return self }
    var savedTrace = self
    savedTrace.run = try run.saved()
    return savedTrace
  }
}

/// The way in which a trace ended.
enum TraceEnd {
  /// The trace reached the end of the plan.
  case completed
  /// Another trace has continued from an equal state.
  case merged
  case stepFailed(Transcript.Failure)
  /// The repeated step did not make the change at which the app was to be killed, or the storage
  /// was to be full.
  case notRepeatable(Transcript.Failure)
  /// The machine or the run itself failed, or a step failed without an injected event.
  case stoppedEarly(Transcript.Failure)
  case reachedLimit(ExplorationCounts.SearchLimit)

  init(_ failure: Transcript.Failure, of trace: Trace) {
    self =
      switch failure.outcome {
      // If a test is cancelled, the app ends, and its code may fail for this reason.
      case let outcome where Task.isCancelled && outcome.failedExecution != .simulated:
        .reachedLimit(.cancellation)
      case .noChangeToInterrupt: .notRepeatable(failure)
      case let outcome where trace.injectedEvents.isEmpty || outcome.hasCauseOutsideApp:
        .stoppedEarly(failure)
      default: .stepFailed(failure)
      }
  }
}

/// A state of the search: the next step, the device and the rules. Traces with equal nodes continue
/// in the same way.
struct SearchNode: Hashable {
  private struct Facts: Hashable {
    let step: Int
    /// The interrupted step, at which the app may continue. After the retry has passed this step,
    /// the value is the next step. Traces with kills in different steps can then become equal.
    let interruptedStep: Int?
    let hasEventSinceKill: Bool
    let skippedStep: Int?
    let device: Device
    let ruleState: RuleState
  }

  /// The hash of the facts. It is stored, because the facts are large and a dictionary asks for the
  /// hash again each time it grows.
  private let hash: Int
  @Boxed private var facts: Facts

  init(_ trace: Trace, before step: Int, in plan: Plan) {
    let restoredLabels = plan.restoredLabels[trace.nextBlockIndex]
    let remnants = trace.run.mayFindRemnants ? [] : trace.monitor.state.facts.remnants
    let facts = Facts(
      step: step, interruptedStep: trace.interruptedStep.map { max($0, step) },
      hasEventSinceKill: trace.hasEventSinceKill,
      skippedStep: trace.skipsInterruptedStep ? trace.injectedEvents.last?.stepNumber : nil,
      device: trace.run.reducedDevice(restoring: restoredLabels, without: remnants),
      ruleState: trace.monitor.reducedState(restoring: restoredLabels, without: remnants))
    (self.hash, self.facts) = (facts.hashValue, facts)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
