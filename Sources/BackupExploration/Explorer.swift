import BackupDevice
import BackupFileTree
package import BackupRules
package import BackupScenarios

/// A depth-first search through all traces of a plan.
///
/// At each point of the plan, one trace continues without an event. In other traces, iOS acts, the
/// app is killed, or the storage is full. A trace usually stops if another trace has continued from
/// an equal state of the device and the rules. The search begins with traces of few injected
/// events, so that the report of a finding has as few events as possible.
struct Explorer: Sendable {
  private let plan: Plan
  /// The events that the scenario excludes.
  private var excludedEvents: Set<Scenario.InjectableEvent> {
    plan.scenario.exploration.excludedEvents
  }
  private let bounds: Scenario.ExplorationBounds
  /// The states from which a trace has continued.
  ///
  /// Each state has three values:
  ///
  /// * the greatest number of events that a trace could still inject there
  /// * the findings after the state
  /// * the container at the end if no further event is injected; nil until a trace reaches the end
  private var visits:
    [SearchNode: (eventsLeft: Int, findings: Set<FindingKey>, treeAtEnd: FileTree?)] =
      [:]
  /// The findings that exploration does not report. They occur without injected events, or each
  /// start of the app causes them.
  private var baseline: Set<FindingKey> = []
  /// For each block index, the findings and the container at the end if the app never performs the
  /// block. The value is nil if a later step then fails.
  private var resultsWithoutBlock: [Int: (findings: Set<FindingKey>, treeAtEnd: FileTree)?] = [:]
  /// The container at the end of the plan without injected events; nil until the first trace has
  /// ended.
  private var treeWithoutEvents: FileTree?
  /// The findings that this search has discovered under the current version of iOS.
  private var discoveredKeys: Set<FindingKey> = []
  /// For each finding, each injected event that causes the finding alone.
  private(set) var eventsByFinding: [FindingKey: Set<InjectedEvent>] = [:]
  private(set) var discoveries: [Discovery] = []
  /// The first injected event of each trace.
  private(set) var firstEvents: Set<InjectedEvent> = []
  private(set) var counts = ExplorationCounts()
  /// The first failure that stopped a trace, but that no injected event caused; nil for none.
  private(set) var earlyStopFailure: Transcript.Failure?
  private var hasReplayedToken = false
  /// The event at the point that the replayed token names, if the token has a different event
  /// there.
  private var eventAtReplayedPoint: InjectedEvent?

  private let stage: ExplorationStage
  /// The time after which no new trace begins; nil before the first trace. The time limit counts
  /// from the first trace, because a busy machine may delay the runs before this trace.
  private var deadline: SuspendingClock.Instant?
  private let memoryAtStart = ProcessMemory.current

  init(_ plan: Plan, _ bounds: Scenario.ExplorationBounds, on stage: ExplorationStage) {
    (self.plan, self.bounds, self.stage) = (plan, bounds.clamped, stage)
    if plan.firstBlockIndex > 0 {
      counts.firstStepNumber = plan.stepNumber(ofBlock: plan.firstBlockIndex)
    }
  }

  /// Explores the plan under one version of iOS, from the start of a run. Throws if the plan fails
  /// without injected events.
  mutating func explore(from run: ScenarioRun) async throws(Transcript.Failure) {
    (baseline, resultsWithoutBlock, discoveredKeys, earlyStopFailure) = ([], [:], [], nil)
    treeWithoutEvents = nil
    var firstTrace = try Trace(run).saved()
    let (findings, lastTrace) = try await baselineFindings(
      from: firstTrace, in: plan.scenarioBlockIndices)
    (baseline, firstTrace.stepsWithKnownFailure) = (findings, lastTrace.stepsWithKnownFailure)
    let traceBeforeAddedStart = plan.endsWithStart ? try save(lastTrace) : nil
    do throws(Transcript.Failure) {
      baseline.formUnion(
        try await baselineFindings(
          from: firstTrace, in: plan.blocks.indices, ofStarts: true
        ).findings)
    } catch {
      // If a start that the search adds fails, the baseline lacks the errors of starts.
      if error.outcome.hasCauseOutsideApp { throw error }
    }
    if let traceBeforeAddedStart {
      // The plan has added the start at the end to the scenario, so it counts as an injected event.
      await inject(.relaunch, after: traceBeforeAddedStart, eventsLeft: 1)
    }
    for depth in 1...bounds.depth where counts.isWithinLimits {
      visits = [:]
      try firstTrace.run.resetContainer()
      await explore(from: firstTrace, eventsLeft: depth)
    }
  }

  /// The reason why the search could not replay the trace in the token; nil if it could, or without
  /// a token.
  var replayFailure: String? {
    guard bounds.replayToken != nil else { return nil }
    guard !hasReplayedToken else {
      return counts.repetitionFailures.first.map { "the trace cannot be repeated: \($0)" }
    }
    let note = eventAtReplayedPoint.map { "; the token for that point is now '\($0)'" } ?? ""
    return "the scenario no longer has the point that the token names\(note). Explore it again"
  }

  /// Performs blocks without injected events, and takes a backup after each block. Returns the
  /// findings and the trace after the last block.
  ///
  /// With `ofStarts`, the app also starts after each block. The method then returns only errors
  /// that each start causes. Exploration does not report these errors
  /// (`FindingKey.keyOfReplacedError`).
  private func baselineFindings(
    from initialTrace: Trace, in blocks: Range<Int>, ofStarts: Bool = false
  ) async throws(Transcript.Failure) -> (findings: Set<FindingKey>, lastTrace: Trace) {
    guard !ofStarts || initialTrace.run.doesSomethingAtLaunch else { return ([], initialTrace) }
    func key(_ violation: Violation) -> FindingKey? {
      ofStarts ? FindingKey.keyOfReplacedError(violation) : FindingKey(violation)
    }
    var (trace, findings): (Trace, Set<FindingKey>) = (initialTrace, [])
    try trace.run.resetContainer()
    trace.run.endApp()
    defer { trace.run.endApp() }
    for block in plan.blocks[blocks] {
      for index in block.stepIndices { try await trace.perform(.step(index), of: plan) }
      if ofStarts { try await trace.perform(.event(.relaunch, version: ""), of: plan) }
      var backedUpTrace = trace
      guard try await backedUpTrace.attempt(.backup, of: plan) else { continue }
      // An injected purge deletes items in purgeable directories, even if the plan would later move
      // them to a safe directory. So the baseline leaves out findings on such items, and
      // exploration reports them.
      let rulesOnPurgeableItems = RuleList.purgeablePlaceRuleNames
      findings.formUnion(
        backedUpTrace.violations.filter { !rulesOnPurgeableItems.contains($0.rule) }.compactMap(key)
      )
    }
    trace.nextBlockIndex = blocks.upperBound
    var endedTrace = trace
    try await endedTrace.perform(.backup, of: plan)
    try await endedTrace.end()
    return (findings.union(endedTrace.violations.compactMap(key)), trace)
  }

  /// A point of a trace at which other traces branch off.
  private struct BranchPoint {
    let trace: Trace
    /// The changes by the app's own code in the next block; nil if they were not recorded.
    var recording: Recording?
  }

  /// Performs a trace to the end of the plan, and then injects events at each point of the trace.
  ///
  /// `eventsLeft` is the number of events that may still be injected.
  private mutating func explore(from initialTrace: Trace, eventsLeft: Int) async {
    var (trace, branchPoints): (Trace, [BranchPoint]) = (initialTrace, [])
    let traceEnd: TraceEnd
    do throws(Transcript.Failure) {
      traceEnd = try await performToEnd(&trace, eventsLeft: eventsLeft, &branchPoints)
    } catch {
      traceEnd = TraceEnd(error, of: trace)
    }
    finish(trace, traceEnd)
    trace.run.endApp()
    branchPoints.reverse()
    // A point may keep a saved container on disk. So the loop releases each point as soon as its
    // branches have ended.
    while let point = branchPoints.popLast() {
      await branch(at: point, eventsLeft: eventsLeft)
      if counts.isWithinLimits { counts.recordedBytes -= point.recording?.byteCount ?? 0 }
    }
  }

  private mutating func performToEnd(
    _ trace: inout Trace, eventsLeft: Int, _ branchPoints: inout [BranchPoint]
  ) async throws(Transcript.Failure) -> TraceEnd {
    trace.run.keepsLaunchHistory = eventsLeft > 0 && !excludedEvents.contains(.storageFull)
    while shouldContinue(
      &trace, before: plan.firstStep(ofBlock: trace.nextBlockIndex), eventsLeft: eventsLeft)
    {
      let isAtEnd = trace.nextBlockIndex == plan.blocks.count
      // If the plan ends with an added start, the backup after this start shows all findings, so no
      // event is injected there.
      let isBranchPoint =
        trace.nextBlockIndex >= plan.firstBlockIndex && eventsLeft > 0
        && !(isAtEnd && plan.endsWithStart)
      if isBranchPoint { branchPoints.append(BranchPoint(trace: try save(trace))) }
      if let shortfall = counts.reachedLimit { return .reachedLimit(shortfall) }
      guard !isAtEnd else {
        let tree = trace.run.device.tree
        try await trace.perform(.backup, of: plan)
        try await trace.end()
        if trace.injectedEvents.isEmpty { treeWithoutEvents = tree }
        recordEnd(tree, of: trace)
        if eventsLeft == 0 { compareEnd(tree, of: &trace) }
        // If events are left, the earlier search with a smaller depth has already judged this
        // trace.
        return eventsLeft == 0 ? .completed : .merged
      }
      let runsCode = plan.blocks[trace.nextBlockIndex].runsCode
      guard try await performBlock(in: &trace, eventsLeft: eventsLeft) else { return .merged }
      if isBranchPoint, runsCode, let recording = trace.run.latestRecording {
        branchPoints[branchPoints.count - 1].recording = recording
        counts.recordedBytes += recording.byteCount
      }
      if trace.interruptedStep != nil {
        trace.interruptedStep = nil
        try await trace.perform(.backup, of: plan)
      }
    }
    return .merged
  }

  /// Performs the next block of a trace. A block that was interrupted is performed again from its
  /// beginning if possible, and otherwise from the interrupted step.
  ///
  /// Returns false if the trace stops within the block, because another trace has continued from an
  /// equal state.
  private mutating func performBlock(
    in trace: inout Trace, eventsLeft: Int
  ) async throws(Transcript.Failure) -> Bool {
    let block = plan.blocks[trace.nextBlockIndex]
    let retryMaySkipSteps = !trace.run.doesSomethingAtLaunch && !trace.hasEventSinceKill
    let resumesAtInterruption = try await shouldResume(block, in: trace)
    for index in block.stepIndices {
      if let interruptedStep = trace.interruptedStep {
        if resumesAtInterruption, index < interruptedStep { continue }
        if retryMaySkipSteps, index < interruptedStep, let laterStep = block.skippableUntil[index],
          laterStep > interruptedStep
        {
          // To repeat this step would change nothing.
          trace.transitions.append(.step(index))
          continue
        }
        // Each comparison costs time, so states are compared only 1, 2, 4, 8 … steps after the
        // interrupted step.
        let isCompared = (index - interruptedStep).nonzeroBitCount == 1
        if isCompared, !shouldContinue(&trace, before: index, eventsLeft: eventsLeft) {
          return false
        }
      }
      try await trace.perform(.step(index), of: plan)
    }
    trace.nextBlockIndex += 1
    return true
  }

  /// Returns true if the app continues an interrupted block at the interrupted step, because it
  /// cannot perform the block again from its beginning.
  private func shouldResume(
    _ block: Plan.Block, in trace: Trace
  ) async throws(Transcript.Failure) -> Bool {
    guard let interruptedStep = trace.interruptedStep, !block.runsCode,
      plan.steps[block.stepIndices.lowerBound..<interruptedStep].contains(where: {
        $0.pathIfRepeatable == nil
      })
    else { return false }
    return try await !trace.run.canPerform(plan.steps[block.stepIndices])
  }

  /// Returns true if a trace continues with a step.
  ///
  /// A trace with injected events stops if another trace has continued from an equal state with at
  /// least as many events left. The method then also records the other trace's later findings for
  /// this trace. However, a trace with a new violation and no events left continues, because a
  /// later step may show that another finding explains the violation.
  private mutating func shouldContinue(
    _ trace: inout Trace, before step: Int, eventsLeft: Int
  ) -> Bool {
    guard bounds.mergesStates, !trace.onlyConfirmsFinding else { return true }
    let node = SearchNode(trace, before: step, in: plan)
    guard let visit = visits[node], visit.eventsLeft >= eventsLeft else {
      visits[node, default: (0, [], nil)].eventsLeft = eventsLeft
      if !trace.injectedEvents.isEmpty { trace.firstVisits.append((node, trace.violations.count)) }
      return true
    }
    if let treeAtEnd = visit.treeAtEnd {
      recordEnd(treeAtEnd, of: trace)
      if eventsLeft == 0 { compareEnd(treeAtEnd, of: &trace) }
    }
    let keysAfterFirstEvent = trace.violations[trace.violationCountBeforeEvents...].map(
      FindingKey.init)
    recordFindings(visit.findings.union(keysAfterFirstEvent), of: trace)
    guard !trace.injectedEvents.isEmpty else { return true }
    trace.onlyConfirmsFinding = eventsLeft == 0 && isNew(trace)
    return trace.onlyConfirmsFinding
  }

  private mutating func branch(at point: BranchPoint, eventsLeft: Int) async {
    guard counts.isWithinLimits else { return }
    let trace = point.trace
    await injectEvents(trace, eventsLeft: eventsLeft)
    guard counts.isWithinLimits, trace.nextBlockIndex < plan.blocks.count,
      plan.blocks[trace.nextBlockIndex].isActivity
    else { return }
    let runsCode = plan.blocks[trace.nextBlockIndex].runsCode
    do throws(Transcript.Failure) {
      if runsCode {
        try await crashWithinCode(point, eventsLeft: eventsLeft)
      } else if !excludedEvents.contains(.kill) {
        try await crashWithinBlock(trace, eventsLeft: eventsLeft)
      }
    } catch {
      // If a simulated step fails without a kill, the trace that performed the step has recorded
      // the failure.
      if runsCode || error.outcome.hasCauseOutsideApp { finish(trace, .stoppedEarly(error)) }
    }
  }

  private mutating func injectEvents(_ trace: Trace, eventsLeft: Int) async {
    counts.quiescentPoints += 1
    for event in Scenario.InjectableEvent.allCases
    where counts.isWithinLimits && (trace.interruptedStep == nil || event.isTriedBeforeRepetition) {
      await inject(event, after: trace, eventsLeft: eventsLeft)
    }
  }

  private mutating func inject(
    _ event: Scenario.InjectableEvent, after trace: Trace, eventsLeft: Int
  ) async {
    let injectedEvent = InjectedEvent(
      stepNumber: plan.stepNumber(ofBlock: trace.nextBlockIndex),
      isAtEnd: trace.nextBlockIndex >= plan.scenarioBlockIndices.upperBound, point: .before(event))
    guard let transition = transition(to: event, after: trace),
      matchesReplay(injectedEvent, after: trace), countTrace(for: injectedEvent, after: trace)
    else { return }
    var branchTrace = trace
    branchTrace.inject(injectedEvent)
    do throws(Transcript.Failure) {
      try branchTrace.run.resetContainer()
      let newEntries = try await branchTrace.perform(transition, of: plan)
      branchTrace.updateDataToKeep()
      if branchTrace.interruptedStep != nil {
        // Until the app retries the block, a backup may contain items without their marks. So of
        // the findings of this event, the trace reports only lost data.
        let findings = branchTrace.violations[trace.violations.count...].map { FindingKey($0) }
        branchTrace.excusedFindings.formUnion(
          findings.filter { !RuleList.lossRuleNames.contains($0.rule) })
      }
      if newEntries.last?.event.purgedNothing == true, !excludedEvents.contains(.relaunch) {
        // The purge has only ended the app, which an injected relaunch does too.
        branchTrace.run.endApp()
      } else {
        await explore(from: branchTrace, eventsLeft: eventsLeft - 1)
      }
    } catch {
      finish(branchTrace, TraceEnd(error, of: branchTrace))
    }
  }

  /// Returns the transition for an event; nil if the event cannot happen next, or if another event
  /// has the same effect.
  private func transition(to event: Scenario.InjectableEvent, after trace: Trace) -> Transition? {
    guard !excludedEvents.contains(event) else { return nil }
    let device = trace.run.device
    switch event {
    case .kill, .storageFull: return nil
    // Before the first unlock, the user can neither update iOS nor restore a backup on a new
    // device. A restore also installs an offloaded app. A later `reinstall` step would then first
    // delete the app, so no restore is injected while the app is offloaded.
    case .updateSystem where device.lockState == .neverUnlocked,
      .newDevice where device.lockState == .neverUnlocked || device.app.isOffloaded:
      return nil
    case .relaunch where device.app.isOffloaded, .updateApp where device.app.isOffloaded:
      return nil
    case .relaunch:
      // If the app is not running, an injected start is useful only in one case. The start must do
      // something, and the next block must not start the app anyway.
      let isUseful =
        device.app.isRunning
        || trace.run.doesSomethingAtLaunch && !plan.launchesApp(trace.nextBlockIndex)
      return isUseful ? .event(event, version: "") : nil
    case .updateApp:
      // If steps depend on the app's version, the update keeps the version. With a new version, the
      // trace would perform other steps than the scenario.
      let version = trace.run.usesAppVersions ? device.app.version : "\(device.app.version).1"
      return .event(event, version: version)
    case .updateSystem:
      // The app may not run on later versions of iOS than those that the scenario names.
      guard let newestSystem = plan.scenario.systems.max(), device.profile.version < newestSystem
      else {
        return nil
      }
      return .event(event, version: "\(newestSystem)")
    case .locked:
      // If no launch step uses a file, a start on a locked device has the same effect as other
      // starts.
      let startMayFail =
        plan.scenario.launch.contains(where: \.needsProtectedData) && !device.app.isOffloaded
      return startMayFail && device.lockState == .unlocked ? .event(event, version: "") : nil
    case .idle, .lowStorage, .criticalStorage, .newDevice: return .event(event, version: "")
    }
  }

  /// Returns true if an event is the next event in the replayed token, or if no token is replayed.
  private mutating func matchesReplay(_ event: InjectedEvent, after trace: Trace) -> Bool {
    guard let token = bounds.replayToken else { return true }
    let index = trace.injectedEvents.count
    guard token.events.indices.contains(index) else { return false }
    let isMatch = event.matches(token.events[index])
    if isMatch == nil { eventAtReplayedPoint = event }
    if isMatch == true, index == token.events.count - 1 { hasReplayedToken = true }
    return isMatch == true
  }

  /// Kills the app before each change of the next block's simulated steps.
  private mutating func crashWithinBlock(
    _ trace: Trace, eventsLeft: Int
  ) async throws(Transcript.Failure) {
    var uninterruptedTrace = trace
    let stepIndices = plan.blocks[trace.nextBlockIndex].stepIndices
    try await uninterruptedTrace.run.planActivity(of: Array(plan.steps[stepIndices]))
    for index in stepIndices where counts.isWithinLimits {
      let changes = try await uninterruptedTrace.run.crashPoints(in: plan.steps[index])
      await crash(uninterruptedTrace, in: index, at: changes, eventsLeft: eventsLeft)
      try uninterruptedTrace.run.resetContainer()
      try await uninterruptedTrace.perform(.step(index), of: plan)
      uninterruptedTrace = try save(uninterruptedTrace)
    }
  }

  /// Kills the app before each change that the code in the next block makes, and fills the storage
  /// at each write that makes a file longer. Does neither if the kit has not seen all changes.
  private mutating func crashWithinCode(
    _ point: BranchPoint, eventsLeft: Int
  ) async throws(Transcript.Failure) {
    let (trace, index) = (point.trace, plan.firstStep(ofBlock: point.trace.nextBlockIndex))
    // If the scenario itself kills the app in the step, exploration injects no other kill there.
    guard !plan.steps[index].isInterrupted else { return }
    guard let recording = point.recording, recording.isComplete,
      try trace.run.isReplayable(recording)
    else {
      counts.stepsWithUnseenChanges.insert(plan.steps[index].number)
      return
    }
    let growths = recording.growths
    let crashPoints = recording.crashPoints + growths
    guard crashPoints.contains(where: { shouldTry($0, in: index, of: trace) }) else { return }
    let rehearsal = try await trace.run.rehearse(plan.steps[index], recording)
    if trace.injectedEvents.isEmpty, !rehearsal.isRepeatable {
      counts.stepsWithReorderedChanges.insert(plan.steps[index].number)
    }
    await crash(trace, in: index, at: crashPoints, eventsLeft: eventsLeft, rehearsal: rehearsal)
    if eventsLeft == 1, !growths.isEmpty, trace.injectedEvents.isEmpty, bounds.replayToken == nil,
      excludedEvents.isDisjoint(with: [.storageFull, .lowStorage])
    {
      try await fillStorageAfterPurge(trace, in: index, eventsLeft: eventsLeft)
    }
  }

  /// Injects a purge, and then fills the storage while a step of code runs.
  private mutating func fillStorageAfterPurge(
    _ trace: Trace, in step: Int, eventsLeft: Int
  ) async throws(Transcript.Failure) {
    var purgedTrace = trace
    try purgedTrace.run.resetContainer()
    purgedTrace.inject(
      InjectedEvent(
        stepNumber: plan.steps[step].number,
        isAtEnd: trace.nextBlockIndex >= plan.scenarioBlockIndices.upperBound,
        point: .before(.lowStorage)))
    let newEntries = try await purgedTrace.perform(.event(.lowStorage, version: ""), of: plan)
    if newEntries.last?.event.purgedNothing == true { return }
    purgedTrace = try save(purgedTrace)
    var uninterruptedTrace = purgedTrace
    guard try await uninterruptedTrace.attempt(.step(step), of: plan),
      let recording = uninterruptedTrace.run.latestRecording, recording.isComplete
    else { return }
    try await uninterruptedTrace.perform(.backup, of: plan)
    try await uninterruptedTrace.end()
    uninterruptedTrace.run.endApp()
    // If the purge alone causes a new finding, another trace reports this finding, and the storage
    // is not filled.
    let newViolations = uninterruptedTrace.violations[
      uninterruptedTrace.violationCountBeforeEvents...]
    guard baseline.isSuperset(of: newViolations.map { FindingKey($0) }) else { return }
    let rehearsal = try await purgedTrace.run.rehearse(plan.steps[step], recording)
    await crash(
      purgedTrace, in: step, at: recording.growths, eventsLeft: eventsLeft, rehearsal: rehearsal)
  }

  /// Kills the app, or fills the storage, at each of these points of a step, unless the scenario
  /// excludes the event. In `crashPoints`, `pointIndex` counts the changes of the step from 0.
  private mutating func crash(
    _ trace: Trace, in step: Int,
    at crashPoints: [(pointIndex: Int, point: Scenario.InterruptionPoint)],
    eventsLeft: Int, rehearsal: Rehearsal? = nil
  ) async {
    for (pointIndex, point) in crashPoints
    where counts.isWithinLimits && shouldTry((pointIndex, point), in: step, of: trace) {
      counts.crashPoints += 1
      await crash(
        trace, in: step, before: pointIndex + 1, point, eventsLeft: eventsLeft,
        rehearsal: rehearsal)
    }
  }

  /// Returns true if exploration should kill the app, or fill the storage, at a change.
  ///
  /// A kill before the first change of a block is left out, because it has the same effect as a
  /// relaunch.
  private func shouldTry(
    _ change: (pointIndex: Int, point: Scenario.InterruptionPoint), in step: Int, of trace: Trace
  ) -> Bool {
    let isFirst = change.pointIndex == 0 && step == plan.firstStep(ofBlock: trace.nextBlockIndex)
    return !excludedEvents.contains(change.point.isStorageFull ? .storageFull : .kill)
      && (!isFirst || change.point.isStorageFull)
  }

  /// Kills the app, or fills the storage, at one crash point, and tries each recovery.
  private mutating func crash(
    _ trace: Trace, in step: Int, before changeNumber: Int, _ point: Scenario.InterruptionPoint,
    eventsLeft: Int, rehearsal: Rehearsal?
  ) async {
    func injectedEvent(recovery: InjectedEvent.Recovery) -> InjectedEvent {
      InjectedEvent(
        stepNumber: plan.steps[step].number,
        isAtEnd: trace.nextBlockIndex >= plan.scenarioBlockIndices.upperBound,
        point: .within(change: changeNumber, point, then: recovery))
    }
    let recoveries = InjectedEvent.Recovery.allCases.filter { recovery in
      let isPossible =
        switch recovery {
        case .retry: true
        case .skip:
          eventsLeft == 1 && trace.injectedEvents.isEmpty && plan.canSkip(trace.nextBlockIndex)
        }
      return isPossible && matchesReplay(injectedEvent(recovery: recovery), after: trace)
    }
    guard !recoveries.isEmpty else { return }
    var interruptedTrace = trace
    interruptedTrace.inject(injectedEvent(recovery: .retry))
    do throws(Transcript.Failure) {
      try interruptedTrace.run.resetContainer()
      try await interruptedTrace.perform(.killed(step, point), of: plan, rehearsal: rehearsal)
      interruptedTrace.interruptedStep = step
      interruptedTrace.rehearsal = rehearsal
      // The retry may perform the activity a second time. So the container at the end may differ
      // from `treeWithoutEvents`, and the trace does not compare the two.
      interruptedTrace.dataToKeep = nil
      let isSaved = recoveries.contains(.skip)
      if isSaved { interruptedTrace = try save(interruptedTrace) }
      for recovery in recoveries {
        guard countTrace(for: injectedEvent(recovery: recovery), after: trace) else { return }
        if isSaved { try interruptedTrace.run.resetContainer() }
        interruptedTrace.injectedEvents[interruptedTrace.injectedEvents.count - 1] = injectedEvent(
          recovery: recovery)
        switch recovery {
        case .retry: await explore(from: interruptedTrace, eventsLeft: eventsLeft - 1)
        case .skip: try await continueSkippingBlock(after: interruptedTrace, of: trace)
        }
      }
    } catch {
      finish(interruptedTrace, TraceEnd(error, of: interruptedTrace))
    }
  }

  /// Continues a trace after its interrupted block, without a retry of the block. Does nothing if a
  /// later step fails without this block.
  ///
  /// The trace does not report two kinds of findings:
  ///
  /// * Findings that also occur if the app never performs the block.
  /// * Findings that only last until the user tries again, except lost data. To find them, the
  ///   method takes a backup in a copy of the run right after the kill, and ends another copy
  ///   there.
  private mutating func continueSkippingBlock(
    after interruptedTrace: Trace, of trace: Trace
  ) async throws(Transcript.Failure) {
    guard let resultForPlanWithoutBlock = try await resultWithoutBlock(after: trace) else { return }
    try interruptedTrace.run.resetContainer()
    var skippingTrace = interruptedTrace
    var endedTrace = interruptedTrace
    var backedUpTrace = interruptedTrace
    try await backedUpTrace.perform(.backup, of: plan)
    backedUpTrace.endMonitoring()
    try await endedTrace.end()
    let keysBeforeRetry = (endedTrace.violations + backedUpTrace.violations).map { FindingKey($0) }
    skippingTrace.excusedFindings =
      resultForPlanWithoutBlock.findings.union(
        keysBeforeRetry.filter { !RuleList.lossRuleNames.contains($0.rule) })
    skippingTrace.interruptedStep = nil
    skippingTrace.updateDataToKeep()
    skippingTrace.nextBlockIndex += 1
    try skippingTrace.run.resetContainer()
    await explore(from: skippingTrace, eventsLeft: 0)
  }

  /// Performs the plan from a trace, but leaves out the trace's next block. Returns the findings
  /// and the container at the end; nil if a later step fails.
  private mutating func resultWithoutBlock(
    after trace: Trace
  ) async throws(Transcript.Failure) -> (findings: Set<FindingKey>, treeAtEnd: FileTree)? {
    if let knownResult = resultsWithoutBlock[trace.nextBlockIndex] { return knownResult }
    var result: (findings: Set<FindingKey>, treeAtEnd: FileTree)?
    do throws(Transcript.Failure) {
      let laterBlocks = (trace.nextBlockIndex + 1)..<plan.blocks.count
      let (findings, lastTrace) = try await baselineFindings(from: trace, in: laterBlocks)
      result = (findings, lastTrace.run.device.tree)
    } catch {
      if error.outcome.hasCauseOutsideApp { throw error }
    }
    resultsWithoutBlock[trace.nextBlockIndex] = .some(result)
    return result
  }

  /// Records the container at the end of a trace, for the states that this trace was the first to
  /// reach after its last event.
  private mutating func recordEnd(_ treeAtEnd: FileTree, of trace: Trace) {
    for (node, _) in trace.firstVisitsSinceEvent { visits[node]?.treeAtEnd = treeAtEnd }
  }

  /// Compares the container at the end of a trace with the container at the end without injected
  /// events. If the trace has skipped a block, also compares with the end without this block.
  private func compareEnd(_ treeAtEnd: FileTree, of trace: inout Trace) {
    guard let treeWithoutEvents else { return }
    var treesWithoutEvents = [treeWithoutEvents]
    if trace.skipsInterruptedStep, let step = trace.injectedEvents.last?.stepNumber,
      case let result?? = resultsWithoutBlock[plan.block(ofStep: step)]
    {
      treesWithoutEvents.append(result.treeAtEnd)
    }
    trace.compareEnd(treeAtEnd, with: treesWithoutEvents)
  }

  /// Records how a trace ended, and its findings.
  private mutating func finish(_ trace: Trace, _ traceEnd: TraceEnd) {
    switch traceEnd {
    case .completed:
      recordFindings(
        trace.violations[trace.violationCountBeforeEvents...].map(FindingKey.init), of: trace)
      if isNew(trace) { addDiscoveries(trace.monitor.findings(of: trace.violations), of: trace) }
    case .merged: break
    case .stepFailed(let failure):
      counts.stoppedTraces.append(
        StoppedTrace(
          step: failure.step, injectedEvents: trace.injectedEvents, reason: failure.message,
          isReported: addDiscoveries(of: trace, stoppedBy: failure)))
    case .notRepeatable(let failure): counts.repetitionFailures.append("\(failure)")
    case .stoppedEarly(let failure): earlyStopFailure = earlyStopFailure ?? failure
    case .reachedLimit(let shortfall): counts.reachedLimit = shortfall
    }
  }

  /// Returns true if a trace has a violation that the search has not discovered yet.
  private func isNew(_ trace: Trace) -> Bool {
    trace.violations[trace.violationCountBeforeEvents...].contains {
      isNew(FindingKey($0), $0.severity, at: $0.path, in: trace)
    }
  }

  /// Returns true for an error or a warning that exploration reports and has not discovered yet.
  private func isNew(
    _ key: FindingKey, _ severity: Scenario.Severity, at path: ContainerPath?, in trace: Trace
  ) -> Bool {
    severity <= .warning && !baseline.contains(key)
      && !plan.scenario.expects(key.rule, severity, at: path, in: trace.run.variant)
      && !trace.excusedFindings.contains(key) && !discoveredKeys.contains(key)
  }

  /// Records findings for the states that a trace was the first to reach, except for findings in
  /// the baseline. If the trace has only one injected event, also records the event as a cause of
  /// the findings.
  private mutating func recordFindings(_ keys: some Sequence<FindingKey>, of trace: Trace) {
    let newKeys = Set(keys).subtracting(baseline)
    guard !newKeys.isEmpty else { return }
    for (node, violationCount) in trace.firstVisits {
      let keysBefore = Set(trace.violations[..<violationCount].map(FindingKey.init))
      let keysAfter = Set(trace.violations[violationCount...].map(FindingKey.init))
      visits[node]?.findings.formUnion(newKeys.subtracting(keysBefore.subtracting(keysAfter)))
    }
    guard trace.injectedEvents.count == 1 else { return }
    for key in newKeys { eventsByFinding[key, default: []].insert(trace.injectedEvents[0]) }
  }

  /// Adds the findings that exploration reports and has not discovered yet.
  private mutating func addDiscoveries(_ findings: [Scenario.Finding], of trace: Trace) {
    let candidates = findings.map { finding in
      Discovery(
        finding: finding, variant: trace.run.variant, injectedEvents: trace.injectedEvents,
        transitions: trace.transitions,
        interruptedStepChanges: trace.rehearsal?.recording?.allPoints ?? [],
        calls: trace.run.transcript.changeCalls)
    }
    recordFindings(candidates.map(\.key), of: trace)
    for candidate in candidates
    where isNew(
      candidate.key, candidate.finding.severity, at: candidate.finding.path, in: trace)
    {
      discoveredKeys.insert(candidate.key)
      discoveries.append(candidate)
    }
  }

  /// Adds the findings of a trace that a failed step stopped. Returns false if exploration excuses
  /// the failure, so that no finding reports it.
  private mutating func addDiscoveries(
    of trace: Trace, stoppedBy error: Transcript.Failure
  ) -> Bool {
    let failedInCode =
      error.outcome.failedExecution.map { $0 == .code || plan.runsCode(error.step) } ?? false
    // After a kill, the kit repeats simulated steps. A real app may not repeat them, so their
    // failure is no finding.
    let isExcused =
      !failedInCode && !trace.skipsInterruptedStep && !hasInjectedCause(error, in: trace)
    let unexcusedFindings = trace.monitor.findings(of: trace.violations)
      .filter { !isExcused || $0.step != error.step }
    // If the activity was finished before the kill, a user would not repeat it, and the app may
    // refuse to repeat it. So this failure is no finding.
    if let step = trace.interruptedStep, plan.steps[step].reference == error.step,
      failedInCode,
      trace.rehearsal?.recording?.hasTakenEffect(
        in: trace.run.device.tree, on: trace.run.device.profile)
        == true
    {
      addDiscoveries(unexcusedFindings, of: trace)
      return false
    }
    var failureFindings: [Scenario.Finding] = []
    // A failure after a skipped block is also a finding. Without the kill and this block, no later
    // step fails (`resultWithoutBlock`).
    if failedInCode || trace.skipsInterruptedStep {
      failureFindings = unexcusedFindings.filter {
        error.outcome.isReportedByRule && $0.step == error.step && $0.severity == .error
      }
      if failureFindings.isEmpty { failureFindings = [.stepFailed(error)] }
    } else if !isExcused, !error.outcome.isReportedByRule {
      failureFindings = [.stepFailed(error)]
    }
    addDiscoveries(unexcusedFindings + failureFindings.filter(\.isStepFailure), of: trace)
    // At the end of a run, rules also report errors on items that the failed step used.
    var endedTrace = trace
    endedTrace.endMonitoring(afterFailure: true)
    let findingsAtEnd = endedTrace.monitor.findings(of: endedTrace.violations)
    addDiscoveries(
      findingsAtEnd.filter { !isExcused && $0.step == error.step && $0.severity == .error },
      of: endedTrace)
    // The user's lost data is reported even if a step failed. In the trace for this report, the
    // failed step is left out. If a start does something, the trace starts the app instead, because
    // the step also started the app before it failed.
    _ = endedTrace.transitions.popLast()
    if endedTrace.run.doesSomethingAtLaunch {
      endedTrace.transitions.append(.event(.relaunch, version: ""))
    }
    addDiscoveries(
      findingsAtEnd.filter { RuleList.lossRuleNames.contains($0.rule) }, of: endedTrace)
    return !isExcused
  }

  /// Returns true if the injected events caused the failure of a simulated step.
  ///
  /// After a kill, the kit repeats steps that a real app may not repeat. A failure of such a step
  /// has no injected cause. Launch steps are different, because each start performs them.
  private func hasInjectedCause(_ error: Transcript.Failure, in trace: Trace) -> Bool {
    guard error.outcome.failedExecution == .simulated else { return false }
    return error.step.isOfLaunch
      || trace.interruptedStep == nil && trace.injectedEvents.last?.crashPoint == nil
        && plan.isAppStepThatMaySucceed(error.step)
  }

  /// Counts a new trace with one more event. Returns false if a limit has ended the search.
  private mutating func countTrace(for event: InjectedEvent, after trace: Trace) -> Bool {
    guard counts.isWithinLimits else { return false }
    deadline = deadline ?? .now + bounds.duration
    endSearch(ifReached: [.cancellation, .budget, .time, .memory])
    guard counts.isWithinLimits else { return false }
    counts.traces += 1
    if trace.injectedEvents.isEmpty { firstEvents.insert(event) }
    stage.reportProgress(plan.scenario, counts)
    return true
  }

  private mutating func endSearch(ifReached limits: [ExplorationCounts.SearchLimit]) {
    counts.reachedLimit = counts.reachedLimit ?? limits.first(where: isReached)
  }

  private func isReached(_ limit: ExplorationCounts.SearchLimit) -> Bool {
    switch limit {
    case .budget: counts.traces >= bounds.budget
    case .time: deadline.map { SuspendingClock.now >= $0 } ?? false
    case .bytes: max(counts.savedBytes, counts.recordedBytes) > counts.byteLimit
    // The memory is read only at each 64th trace. Measured: reading it at each trace took 2 % of
    // the time of a search.
    case .memory:
      counts.traces % 64 == 0 && ProcessMemory.current - memoryAtStart > stage.memoryGrowthLimit
    case .cancellation: Task.isCancelled
    }
  }

  /// Returns a copy of a trace with a saved container. Ends the search if its bytes on disk or its
  /// memory have reached their limits.
  private mutating func save(_ trace: Trace) throws(Transcript.Failure) -> Trace {
    let savedTrace = try trace.saved()
    (counts.savedBytes, counts.byteLimit) = (trace.run.savedByteCount, stage.limits.bytes)
    endSearch(ifReached: [.bytes, .memory])
    return savedTrace
  }
}

/// A finding of exploration, with the trace that shows it.
package struct Discovery: Sendable {
  package let finding: Scenario.Finding
  let variant: Scenario.Variant
  let injectedEvents: [InjectedEvent]
  let transitions: [Transition]
  /// All changes of the interrupted step, if it runs the app's own code; otherwise empty.
  let interruptedStepChanges: [Scenario.InterruptionPoint]
  package let calls: [Transcript.Call]

  var key: FindingKey { FindingKey(finding, isAfterKill: injectedEvents.last?.crashPoint != nil) }
}
