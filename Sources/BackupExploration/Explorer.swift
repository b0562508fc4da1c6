import BackupDevice
import BackupFileTree
package import BackupRules
package import BackupScenarios

/// A depth-first search through all traces of a plan. At each point, the plan continues, iOS acts, or the app is
/// killed.
///
/// A trace usually ends at a state of the device and the rules from which another trace has continued. Traces with
/// fewer injected events come first, so that a finding has as few events as possible.
struct Explorer: Sendable {
  private let plan: Plan
  /// The events that the scenario excludes.
  private var excluded: Set<Scenario.Disturbance> { plan.scenario.exploration.without }
  private let bounds: Scenario.ExplorationBounds
  /// For each state, the most events injected after it, the later findings, and the container at the end without later
  /// events.
  private var visited: [SearchNode: (count: Int, findings: Set<FindingKey>, end: FileTree?)] = [:]
  /// The findings of the plan without injected events, with a backup after each block.
  private var baseline: Set<FindingKey> = []
  /// For a skipped block, the findings and the container at the end; nil if a later step then fails.
  private var skippedBlocks: [Int: (findings: Set<FindingKey>, end: FileTree)?] = [:]
  /// The container at the end of the plan without injected events; nil if a step fails before.
  private var undisturbedEnd: FileTree?
  /// The findings that were discovered under the present system.
  private var discoveredKeys: Set<FindingKey> = []
  /// The injected events that each lead to a finding by themselves.
  private(set) var causes: [FindingKey: Set<InjectedEvent>] = [:]
  private(set) var discoveries: [Discovery] = []
  /// The events that were injected first in a trace.
  private(set) var tried: Set<InjectedEvent> = []
  private(set) var counts = ExplorationCounts()
  /// The failure of the machine or the run itself that stopped a trace; nil for none.
  private(set) var earlyStop: Transcript.Failure?
  private var isReplayed = false
  /// The event at the point in the replayed token, if it differs from the token's.
  private var otherEvent: InjectedEvent?

  private let stage: ExplorationStage
  /// The end of the time for new traces; nil before the first. A busy machine may delay the runs before it.
  private var deadline: SuspendingClock.Instant?
  private let formerMemory = ProcessMemory.current

  init(_ plan: Plan, _ bounds: Scenario.ExplorationBounds, on stage: ExplorationStage) {
    (self.plan, self.bounds, self.stage) = (plan, bounds.inForce, stage)
    if plan.firstBlock > 0 { counts.firstStep = plan.stepNumber(ofBlock: plan.firstBlock) }
  }

  /// Explores the plan under one system, from a new run. Throws if the plan itself fails.
  mutating func explore(from run: ScenarioRun) async throws(Transcript.Failure) {
    (baseline, skippedBlocks, discoveredKeys, earlyStop) = ([], [:], [], nil)
    undisturbedEnd = nil
    var first = try Trace(run).saved()
    let (findings, last) = try await baselineFindings(from: first, in: plan.ownBlocks)
    (baseline, first.knownFailures) = (findings, last.knownFailures)
    let end = plan.endsWithStart ? try save(last) : nil
    do throws(Transcript.Failure) {
      baseline.formUnion(
        try await baselineFindings(from: first, in: plan.blocks.indices, ofStarts: true).findings)
    } catch {
      // A start that fails in the plan has no baseline.
      if error.outcome.isOfRun { throw error }
    }
    if let end {
      // The scenario does not have the start at the end, so it counts as injected.
      await inject(.relaunch, after: end, injecting: 1)
    }
    for depth in 1...bounds.depth where counts.isComplete {
      visited = [:]
      try first.run.goBack()
      await explore(from: first, injecting: depth)
    }
  }

  /// The reason why the search did not replay the token's trace; nil if it did, or if there is no token.
  var replayFailure: String? {
    guard bounds.replayed != nil else { return nil }
    guard !isReplayed else {
      return counts.unrepeated.first.map { "the trace cannot be repeated: \($0)" }
    }
    let other = otherEvent.map { "; the token for that point is now '\($0)'" } ?? ""
    return "the scenario no longer has the point that the token names\(other). Explore it again"
  }

  /// Returns the findings of some blocks without injected events, with a backup after each block, and the trace after
  /// the last block.
  ///
  /// With `ofStarts`, the app starts after each block. The findings are then the errors that exploration does not
  /// report because each start causes them (`FindingKey.habit`).
  private func baselineFindings(
    from start: Trace, in blocks: Range<Int>, ofStarts: Bool = false
  ) async throws(Transcript.Failure) -> (findings: Set<FindingKey>, last: Trace) {
    guard !ofStarts || start.run.doesSomethingAtLaunch else { return ([], start) }
    func key(_ violation: Violation) -> FindingKey? {
      ofStarts ? FindingKey.habit(violation) : FindingKey(violation)
    }
    var (trace, findings): (Trace, Set<FindingKey>) = (start, [])
    try trace.run.goBack()
    trace.run.endApp()
    defer { trace.run.endApp() }
    for block in plan.blocks[blocks] {
      for index in block.stepIndices { try await trace.perform(.step(index), of: plan) }
      if ofStarts { try await trace.perform(.event(.relaunch, version: ""), of: plan) }
      var copy = trace
      guard try await copy.attempt(.backup, of: plan) else { continue }
      // An injected purge takes an item in a purgeable place for good, even if the plan moves the item later.
      let places = RuleList.purgeablePlaces
      findings.formUnion(copy.violations.filter { !places.contains($0.rule) }.compactMap(key))
    }
    trace.block = blocks.upperBound
    var ended = trace
    try await ended.perform(.backup, of: plan)
    try await ended.end()
    return (findings.union(ended.violations.compactMap(key)), trace)
  }

  /// A point of a trace, with the changes by the code of the next block, if they were recorded.
  private struct BranchPoint {
    let trace: Trace
    var recording: Recording?
  }

  /// Performs a trace to the plan's end, and then injects events at each of its points.
  private mutating func explore(from start: Trace, injecting count: Int) async {
    var (trace, points): (Trace, [BranchPoint]) = (start, [])
    let end: TraceEnd
    do throws(Transcript.Failure) {
      end = try await performToEnd(&trace, injecting: count, &points)
    } catch {
      end = TraceEnd(error, of: trace)
    }
    finish(trace, end)
    trace.run.endApp()
    points.reverse()
    // A point keeps a saved container, so each is released after its branches.
    while let point = points.popLast() {
      await branch(at: point, injecting: count)
      if counts.isComplete { counts.recordedBytes -= point.recording?.byteCount ?? 0 }
    }
  }

  private mutating func performToEnd(
    _ trace: inout Trace, injecting count: Int, _ points: inout [BranchPoint]
  ) async throws(Transcript.Failure) -> TraceEnd {
    trace.run.keepsLaunchCheckpoint = count > 0 && !excluded.contains(.storageFull)
    while continues(&trace, before: plan.firstStep(ofBlock: trace.block), injecting: count) {
      let isEnd = trace.block == plan.blocks.count
      // After the start at the end of the plan, the backup shows all findings.
      let isPoint = trace.block >= plan.firstBlock && count > 0 && !(isEnd && plan.endsWithStart)
      if isPoint { points.append(BranchPoint(trace: try save(trace))) }
      if let shortfall = counts.shortfall { return .reachedLimit(shortfall) }
      guard !isEnd else {
        let tree = trace.run.device.tree
        try await trace.perform(.backup, of: plan)
        try await trace.end()
        if trace.injected.isEmpty { undisturbedEnd = tree }
        recordEnd(tree, of: trace)
        if count == 0 { compareEnd(tree, of: &trace) }
        // A search with fewer events has judged this end.
        return count == 0 ? .completed : .merged
      }
      let runsCode = plan.blocks[trace.block].runsCode
      guard try await performBlock(in: &trace, injecting: count) else { return .merged }
      if isPoint, runsCode, let recording = trace.run.latestRecording {
        points[points.count - 1].recording = recording
        counts.recordedBytes += recording.byteCount
      }
      if trace.interruptedStep != nil {
        trace.interruptedStep = nil
        try await trace.perform(.backup, of: plan)
      }
    }
    return .merged
  }

  /// Performs the next block, from its beginning if it was interrupted. Returns false if the trace ends in it, because
  /// another trace has continued from the same state.
  private mutating func performBlock(
    in trace: inout Trace, injecting count: Int
  ) async throws(Transcript.Failure) -> Bool {
    let block = plan.blocks[trace.block]
    let isQuiet = !trace.run.doesSomethingAtLaunch && !trace.wasDisturbedSinceKill
    let isResumed = try await resumes(block, in: trace)
    for index in block.stepIndices {
      if let interrupted = trace.interruptedStep {
        if isResumed, index < interrupted { continue }
        if isQuiet, index < interrupted, let end = block.skippableUntil[index], end > interrupted {
          // The retry of this step changes nothing.
          trace.transitions.append(.step(index))
          continue
        }
        // Each comparison costs time, so states are compared 1, 2, 4, 8 … steps after the kill.
        let isCompared = (index - interrupted).nonzeroBitCount == 1
        if isCompared, !continues(&trace, before: index, injecting: count) { return false }
      }
      try await trace.perform(.step(index), of: plan)
    }
    trace.block += 1
    return true
  }

  /// Returns true if an interrupted block resumes after the interruption, because the app cannot perform it again from
  /// its beginning.
  private func resumes(
    _ block: Plan.Block, in trace: Trace
  ) async throws(Transcript.Failure) -> Bool {
    guard let interrupted = trace.interruptedStep, !block.runsCode,
      plan.steps[block.stepIndices.lowerBound..<interrupted].contains(where: {
        $0.pathIfRepeatable == nil
      })
    else { return false }
    return try await !trace.run.canPerform(plan.steps[block.stepIndices])
  }

  /// Returns true if a trace continues with a step: no other trace has continued from the same state with as many
  /// events to inject, or a later event may explain a new finding of this trace.
  private mutating func continues(
    _ trace: inout Trace, before step: Int, injecting count: Int
  ) -> Bool {
    guard bounds.mergesStates, !trace.isConfirming else { return true }
    let node = SearchNode(trace, before: step, in: plan)
    guard let visit = visited[node], visit.count >= count else {
      visited[node, default: (0, [], nil)].count = count
      if !trace.injected.isEmpty { trace.firstVisits.append((node, trace.violations.count)) }
      return true
    }
    if let end = visit.end {
      recordEnd(end, of: trace)
      if count == 0 { compareEnd(end, of: &trace) }
    }
    let own = trace.violations[trace.baselineCount...].map(FindingKey.init)
    attribute(visit.findings.union(own), to: trace)
    guard !trace.injected.isEmpty else { return true }
    trace.isConfirming = count == 0 && isNew(trace)
    return trace.isConfirming
  }

  private mutating func branch(at point: BranchPoint, injecting count: Int) async {
    guard counts.isComplete else { return }
    let trace = point.trace
    await injectEvents(trace, injecting: count)
    guard counts.isComplete, trace.block < plan.blocks.count, plan.blocks[trace.block].isActivity
    else { return }
    let runsCode = plan.blocks[trace.block].runsCode
    do throws(Transcript.Failure) {
      if runsCode {
        try await crashWithinCode(point, injecting: count)
      } else if !excluded.contains(.kill) {
        try await crashWithinBlock(trace, injecting: count)
      }
    } catch {
      // A simulated step that fails by itself was counted when the trace performed it.
      if runsCode || error.outcome.isOfRun { finish(trace, .stoppedEarly(error)) }
    }
  }

  private mutating func injectEvents(_ trace: Trace, injecting count: Int) async {
    counts.quiescentPoints += 1
    for event in Scenario.Disturbance.allCases
    where counts.isComplete && (trace.interruptedStep == nil || event.isTriedBeforeRepetition) {
      await inject(event, after: trace, injecting: count)
    }
  }

  private mutating func inject(
    _ event: Scenario.Disturbance, after trace: Trace, injecting count: Int
  ) async {
    let injected = InjectedEvent(
      step: plan.stepNumber(ofBlock: trace.block),
      isAtEnd: trace.block >= plan.ownBlocks.upperBound, point: .before(event))
    guard let transition = transition(to: event, after: trace),
      matchesReplay(injected, after: trace), spendBudget(for: injected, after: trace)
    else { return }
    var branch = trace
    branch.inject(injected)
    do throws(Transcript.Failure) {
      try branch.run.goBack()
      let entries = try await branch.perform(transition, of: plan)
      branch.updateDataToKeep()
      if branch.interruptedStep != nil {
        // Before the retry, a backup may contain items that it must not contain.
        let findings = branch.violations[trace.violations.count...].map { FindingKey($0) }
        branch.excusedFindings.formUnion(findings.filter { !RuleList.losses.contains($0.rule) })
      }
      if entries.last?.event.tookNothing == true, !excluded.contains(.relaunch) {
        // An injected relaunch has the same effect.
        branch.run.endApp()
      } else {
        await explore(from: branch, injecting: count - 1)
      }
    } catch {
      finish(branch, TraceEnd(error, of: branch))
    }
  }

  /// Returns the transition of an event; nil if the event cannot happen next, or if other events show the same.
  private func transition(to event: Scenario.Disturbance, after trace: Trace) -> Transition? {
    guard !excluded.contains(event) else { return nil }
    let state = trace.run.device
    switch event {
    case .kill, .storageFull: return nil
    // Before the first unlock, nobody updates the system or moves to another device. A restore installs an offloaded
    // app, so a later step `reinstall` would delete the app first.
    case .updateSystem where state.lock == .neverUnlocked,
      .newDevice where state.lock == .neverUnlocked || state.app.isOffloaded:
      return nil
    case .relaunch where state.app.isOffloaded, .updateApp where state.app.isOffloaded:
      return nil
    case .relaunch:
      // If the app is not running, the next block may start it anyway. A start at which it does nothing shows no more.
      let showsMore =
        state.app.isRunning
        || trace.run.doesSomethingAtLaunch && !plan.startsApp(trace.block)
      return showsMore ? .event(event, version: "") : nil
    case .updateApp:
      // Steps for some versions of the app must be performed as without the update.
      let version = trace.run.usesAppVersions ? state.app.version : "\(state.app.version).1"
      return .event(event, version: version)
    case .updateSystem:
      // The scenario does not say that the app runs on later systems.
      guard let newest = plan.scenario.systems.max(), state.system.version < newest else {
        return nil
      }
      return .event(event, version: "\(newest)")
    case .locked:
      // If no launch step uses a file, other starts show the same.
      let mayFail = plan.scenario.launch.contains(where: \.usesFile) && !state.app.isOffloaded
      return mayFail && state.lock == .unlocked ? .event(event, version: "") : nil
    case .idle, .lowStorage, .criticalStorage, .newDevice: return .event(event, version: "")
    }
  }

  /// Returns true if an event is the next one of the replayed token, or if there is no token.
  private mutating func matchesReplay(_ event: InjectedEvent, after trace: Trace) -> Bool {
    guard let token = bounds.replayed else { return true }
    let index = trace.injected.count
    guard token.events.indices.contains(index) else { return false }
    let isMatch = event.matches(token.events[index])
    if isMatch == nil { otherEvent = event }
    if isMatch == true, index == token.events.count - 1 { isReplayed = true }
    return isMatch == true
  }

  /// Kills the app before each change of the next block's simulated steps.
  private mutating func crashWithinBlock(
    _ trace: Trace, injecting count: Int
  ) async throws(Transcript.Failure) {
    var whole = trace
    let steps = plan.blocks[trace.block].stepIndices
    try await whole.run.planActivity(of: Array(plan.steps[steps]))
    for index in steps where counts.isComplete {
      let changes = try await whole.run.changes(in: plan.steps[index])
      await crash(whole, in: index, at: changes, injecting: count)
      try whole.run.goBack()
      try await whole.perform(.step(index), of: plan)
      whole = try save(whole)
    }
  }

  /// Kills the app before each change of the next block's code, and fills the storage, if the kit has seen all changes.
  private mutating func crashWithinCode(
    _ point: BranchPoint, injecting count: Int
  ) async throws(Transcript.Failure) {
    let (trace, index) = (point.trace, plan.firstStep(ofBlock: point.trace.block))
    // A step of the plan with a kill has no other kills.
    guard !plan.steps[index].isKilled else { return }
    guard let recording = point.recording, recording.isWhole,
      try trace.run.isFaithful(recording)
    else {
      counts.unseenSteps.insert(plan.steps[index].number)
      return
    }
    let growths = recording.growths
    let points = recording.points + growths
    guard points.contains(where: { isTried($0, in: index, of: trace) }) else { return }
    let rehearsal = try await trace.run.rehearse(plan.steps[index], recording)
    if trace.injected.isEmpty, !rehearsal.isRepeatable {
      counts.unlikeSteps.insert(plan.steps[index].number)
    }
    await crash(trace, in: index, at: points, injecting: count, as: rehearsal)
    if count == 1, !growths.isEmpty, trace.injected.isEmpty, bounds.replayed == nil,
      excluded.isDisjoint(with: [.storageFull, .lowStorage])
    {
      try await fillStorageAfterPurge(trace, in: index, injecting: count)
    }
  }

  /// Purges files of the app, and fills the storage in a step of code although iOS has purged.
  private mutating func fillStorageAfterPurge(
    _ trace: Trace, in step: Int, injecting count: Int
  ) async throws(Transcript.Failure) {
    var purged = trace
    try purged.run.goBack()
    purged.inject(InjectedEvent(step: plan.steps[step].number, point: .before(.lowStorage)))
    let entries = try await purged.perform(.event(.lowStorage, version: ""), of: plan)
    if entries.last?.event.tookNothing == true { return }
    purged = try save(purged)
    var whole = purged
    guard try await whole.attempt(.step(step), of: plan),
      let recording = whole.run.latestRecording, recording.isWhole
    else { return }
    try await whole.perform(.backup, of: plan)
    try await whole.end()
    whole.run.endApp()
    // If the purge alone has new findings, full storage shows no more.
    let findings = whole.violations[whole.baselineCount...].map { FindingKey($0) }
    guard baseline.isSuperset(of: findings) else { return }
    let rehearsal = try await purged.run.rehearse(plan.steps[step], recording)
    await crash(purged, in: step, at: recording.growths, injecting: count, as: rehearsal)
  }

  /// Kills the app, or fills the storage, at each crash point of a step, unless the scenario excludes it.
  private mutating func crash(
    _ trace: Trace, in step: Int, at points: [(place: Int, point: Scenario.KillPoint)],
    injecting count: Int, as rehearsal: Rehearsal? = nil
  ) async {
    for (place, point) in points
    where counts.isComplete && isTried((place, point), in: step, of: trace) {
      counts.crashPoints += 1
      await crash(trace, in: step, before: place + 1, point, injecting: count, as: rehearsal)
    }
  }

  /// Returns true if a kill or full storage is tried. A kill before the first change of a block has the same effect as
  /// a relaunch.
  private func isTried(
    _ change: (place: Int, point: Scenario.KillPoint), in step: Int, of trace: Trace
  ) -> Bool {
    let isFirst = change.place == 0 && step == plan.firstStep(ofBlock: trace.block)
    return !excluded.contains(change.point.isStorageFull ? .storageFull : .kill)
      && (!isFirst || change.point.isStorageFull)
  }

  /// Kills the app, or fills the storage, at one crash point, and tries each recovery.
  private mutating func crash(
    _ trace: Trace, in step: Int, before change: Int, _ point: Scenario.KillPoint,
    injecting count: Int, as rehearsal: Rehearsal?
  ) async {
    func event(_ recovery: InjectedEvent.Recovery) -> InjectedEvent {
      InjectedEvent(
        step: plan.steps[step].number, isAtEnd: trace.block >= plan.ownBlocks.upperBound,
        point: .within(change: change, point, then: recovery))
    }
    let recoveries = InjectedEvent.Recovery.allCases.filter { recovery in
      let isPossible =
        switch recovery {
        case .retry: true
        case .skip: count == 1 && trace.injected.isEmpty && plan.canSkip(trace.block)
        }
      return isPossible && matchesReplay(event(recovery), after: trace)
    }
    guard !recoveries.isEmpty else { return }
    var killed = trace
    killed.inject(event(.retry))
    do throws(Transcript.Failure) {
      try killed.run.goBack()
      try await killed.perform(.killed(step, point), of: plan, as: rehearsal)
      killed.interruptedStep = step
      killed.rehearsal = rehearsal
      // A retry may do the activity twice, so the end cannot be compared with the end without the kill.
      killed.dataToKeep = nil
      let isSaved = recoveries.contains(.skip)
      if isSaved { killed = try save(killed) }
      for recovery in recoveries {
        guard spendBudget(for: event(recovery), after: trace) else { return }
        if isSaved { try killed.run.goBack() }
        killed.injected[killed.injected.count - 1] = event(recovery)
        switch recovery {
        case .retry: await explore(from: killed, injecting: count - 1)
        case .skip: try await continueSkippingBlock(after: killed, of: trace)
        }
      }
    } catch {
      finish(killed, TraceEnd(error, of: killed))
    }
  }

  /// Continues after the interrupted block. Excused are the findings without this block, and those of a backup or the
  /// end right after the kill, which last only until the user tries again.
  private mutating func continueSkippingBlock(
    after killed: Trace, of trace: Trace
  ) async throws(Transcript.Failure) {
    guard let without = try await resultWithoutBlock(after: trace) else { return }
    try killed.run.goBack()
    var (skipping, ended, backedUp) = (killed, killed, killed)
    try await backedUp.perform(.backup, of: plan)
    backedUp.endMonitoring()
    try await ended.end()
    let keys = (ended.violations + backedUp.violations).map { FindingKey($0) }
    skipping.excusedFindings =
      without.findings.union(keys.filter { !RuleList.losses.contains($0.rule) })
    skipping.interruptedStep = nil
    skipping.updateDataToKeep()
    skipping.block += 1
    try skipping.run.goBack()
    await explore(from: skipping, injecting: 0)
  }

  /// Performs the blocks after a trace's next block, which is skipped. Returns nil if a step then fails.
  private mutating func resultWithoutBlock(
    after trace: Trace
  ) async throws(Transcript.Failure) -> (findings: Set<FindingKey>, end: FileTree)? {
    if let former = skippedBlocks[trace.block] { return former }
    var result: (findings: Set<FindingKey>, end: FileTree)?
    do throws(Transcript.Failure) {
      let later = (trace.block + 1)..<plan.blocks.count
      let (findings, last) = try await baselineFindings(from: trace, in: later)
      result = (findings, last.run.device.tree)
    } catch {
      if error.outcome.isOfRun { throw error }
    }
    skippedBlocks[trace.block] = .some(result)
    return result
  }

  /// Records the container at the end of a trace for the states after its last event that it was the first to reach.
  private mutating func recordEnd(_ end: FileTree, of trace: Trace) {
    for (node, _) in trace.firstVisitsSinceEvent { visited[node]?.end = end }
  }

  /// Compares the container at the end of a trace with those at the ends without the injected events.
  private func compareEnd(_ end: FileTree, of trace: inout Trace) {
    guard let undisturbedEnd else { return }
    var ends = [undisturbedEnd]
    if trace.skipsInterruptedStep, let step = trace.injected.last?.step,
      case let without?? = skippedBlocks[plan.block(ofStep: step)]
    {
      ends.append(without.end)
    }
    trace.compareEnd(end, with: ends)
  }

  /// Records the end of a trace, and its findings.
  private mutating func finish(_ trace: Trace, _ end: TraceEnd) {
    switch end {
    case .completed:
      attribute(trace.violations[trace.baselineCount...].map(FindingKey.init), to: trace)
      if isNew(trace) { addDiscoveries(trace.monitor.findings(of: trace.violations), of: trace) }
    case .merged: break
    case .stepFailed(let failure):
      counts.stopped.append(
        StoppedTrace(
          step: failure.step, injected: trace.injected, reason: failure.message,
          isReported: addDiscoveries(of: trace, stoppedBy: failure)))
    case .notRepeatable(let failure): counts.unrepeated.append("\(failure)")
    case .stoppedEarly(let failure): earlyStop = earlyStop ?? failure
    case .reachedLimit(let shortfall): counts.shortfall = shortfall
    }
  }

  private func isNew(_ trace: Trace) -> Bool {
    trace.violations[trace.baselineCount...].contains {
      isNew(FindingKey($0), $0.severity, at: $0.path, in: trace)
    }
  }

  private func isNew(
    _ key: FindingKey, _ severity: Scenario.Severity, at path: ContainerPath?, in trace: Trace
  ) -> Bool {
    severity <= .warning && !baseline.contains(key)
      && !plan.scenario.expects(key.rule, severity, at: path, in: trace.run.variant)
      && !trace.excusedFindings.contains(key) && !discoveredKeys.contains(key)
  }

  /// Adds findings to those of the states that a trace has visited, and to those of its event if it has only one.
  private mutating func attribute(_ keys: some Sequence<FindingKey>, to trace: Trace) {
    let new = Set(keys).subtracting(baseline)
    guard !new.isEmpty else { return }
    for (node, place) in trace.firstVisits {
      let former = Set(trace.violations[..<place].map(FindingKey.init))
      let later = Set(trace.violations[place...].map(FindingKey.init))
      visited[node]?.findings.formUnion(new.subtracting(former.subtracting(later)))
    }
    guard trace.injected.count == 1 else { return }
    for key in new { causes[key, default: []].insert(trace.injected[0]) }
  }

  private mutating func addDiscoveries(_ findings: [Scenario.Finding], of trace: Trace) {
    let found = findings.map { finding in
      Discovery(
        finding: finding, variant: trace.run.variant, injected: trace.injected,
        transitions: trace.transitions, changes: trace.rehearsal?.recording?.allPoints ?? [],
        calls: trace.run.transcript.calls)
    }
    attribute(found.map(\.key), to: trace)
    for new in found where isNew(new.key, new.finding.severity, at: new.finding.path, in: trace) {
      discoveredKeys.insert(new.key)
      discoveries.append(new)
    }
  }

  /// Adds the findings of a trace that a failed step stopped. Returns true if a finding reports the failure.
  private mutating func addDiscoveries(
    of trace: Trace, stoppedBy error: Transcript.Failure
  ) -> Bool {
    let isOfCode = error.outcome.failedAct.map { $0 == .code || plan.runsCode(error.step) } ?? false
    // After a kill, the kit repeats a simulated step that a real app may not repeat: a stopped trace is no finding.
    let mayBeRight = !isOfCode && !trace.skipsInterruptedStep && !isBlamed(error, on: trace)
    let found = trace.monitor.findings(of: trace.violations)
      .filter { !mayBeRight || $0.step != error.step }
    // A user does not repeat a finished activity, and the app may refuse it.
    if let step = trace.interruptedStep, plan.steps[step].reference == error.step,
      isOfCode,
      trace.rehearsal?.recording?.isDone(in: trace.run.device.tree, on: trace.run.device.system)
        == true
    {
      addDiscoveries(found, of: trace)
      return false
    }
    var failures: [Scenario.Finding] = []
    // Without the skipped block, no step fails.
    if isOfCode || trace.skipsInterruptedStep {
      failures = found.filter {
        error.outcome.isReportedByRule && $0.step == error.step && $0.severity == .error
      }
      if failures.isEmpty { failures = [.stepFailed(error)] }
    } else if !mayBeRight, !error.outcome.isReportedByRule {
      failures = [.stepFailed(error)]
    }
    addDiscoveries(found + failures.filter(\.isStepFailure), of: trace)
    // The end also has the errors on items that the failed step used.
    var ended = trace
    ended.endMonitoring(afterFailure: true)
    let atEnd = ended.monitor.findings(of: ended.violations)
    addDiscoveries(
      atEnd.filter { !mayBeRight && $0.step == error.step && $0.severity == .error }, of: ended)
    // The user's losses are reported even though the step failed. Before that, it has started the app.
    _ = ended.transitions.popLast()
    if ended.run.doesSomethingAtLaunch { ended.transitions.append(.event(.relaunch, version: "")) }
    addDiscoveries(atEnd.filter { RuleList.losses.contains($0.rule) }, of: ended)
    return !mayBeRight
  }

  /// Returns true if the injected events are to blame for a simulated step's failure. After a kill, the kit repeats
  /// steps that a real app may not repeat, except for launch steps, which each start performs.
  private func isBlamed(_ error: Transcript.Failure, on trace: Trace) -> Bool {
    guard error.outcome.failedAct == .simulated else { return false }
    return error.step.isOfLaunch
      || trace.interruptedStep == nil && trace.injected.last?.crashPoint == nil
        && plan.isAppStepThatMaySucceed(error.step)
  }

  /// Counts a trace with one more event. Returns false if a limit has ended the search.
  private mutating func spendBudget(for event: InjectedEvent, after trace: Trace) -> Bool {
    guard counts.isComplete else { return false }
    deadline = deadline ?? .now + bounds.duration
    endSearch(at: [.cancellation, .budget, .time, .memory])
    guard counts.isComplete else { return false }
    counts.traces += 1
    if trace.injected.isEmpty { tried.insert(event) }
    stage.progress(plan.scenario, counts)
    return true
  }

  private mutating func endSearch(at limits: [ExplorationCounts.Shortfall]) {
    counts.shortfall = counts.shortfall ?? limits.first(where: isReached)
  }

  private func isReached(_ limit: ExplorationCounts.Shortfall) -> Bool {
    switch limit {
    case .budget: counts.traces >= bounds.budget
    case .time: deadline.map { SuspendingClock.now >= $0 } ?? false
    case .bytes: max(counts.savedBytes, counts.recordedBytes) > counts.mostBytes
    // To ask the system at each trace took 2 % of a search.
    case .memory:
      counts.traces % 64 == 0 && ProcessMemory.current - formerMemory > stage.mostMemory
    case .cancellation: Task.isCancelled
    }
  }

  /// Returns a copy of a trace with a saved container. Ends the search if all copies or recordings take too much.
  private mutating func save(_ trace: Trace) throws(Transcript.Failure) -> Trace {
    let copy = try trace.saved()
    (counts.savedBytes, counts.mostBytes) = (trace.run.savedBytes, stage.limits.bytes)
    endSearch(at: [.bytes, .memory])
    return copy
  }
}

/// A finding of exploration, with the trace that shows it.
package struct Discovery: Sendable {
  package let finding: Scenario.Finding
  let variant: Scenario.Variant
  let injected: [InjectedEvent]
  let transitions: [Transition]
  let changes: [Scenario.KillPoint]
  package let calls: [Transcript.Call]

  var key: FindingKey { FindingKey(finding, isAfterKill: injected.last?.crashPoint != nil) }
}
