import BackupDevice
import BackupFileTree
package import BackupRules
package import BackupScenarios

/// The search through all traces of a plan: at each point the plan goes on, the system acts, or the
/// app is killed.
///
/// It goes depth first, over states of the device and of the rules; a trace that comes to a state from
/// which another has gone on ends there. Fewer injected events come first, so that what is found is
/// found with as few as possible.
struct Explorer: Sendable {
  /// A trace, and what the code of its next block changes, if that was seen.
  private struct BranchPoint {
    let trace: Trace
    var recording: Recording?
  }

  private let plan: Plan
  /// The disturbances that the scenario excludes.
  private var without: Set<Scenario.Disturbance> { plan.scenario.exploration.without }
  private let bounds: Scenario.ExplorationBounds
  /// For each state how many events were injected at most after it, what was seen after it, and the container at
  /// the end that it comes to by itself.
  private var visited: [SearchNode: (count: Int, seen: Set<FindingKey>, end: FileTree?)] = [:]
  /// What the plan shows without injected events, with a backup after each block.
  private var baseline: Set<FindingKey> = []
  /// The findings without one of the plan's blocks, and the container at the end of that; nil if a later step fails
  /// without the block.
  private var withoutBlock: [Int: (shown: Set<FindingKey>, end: FileTree)?] = [:]
  /// The container at the end of the plan that nothing disturbs; nil if it does not come to its end.
  private var undisturbedEnd: FileTree?
  private var known: Set<FindingKey> = []
  private(set) var causes: [FindingKey: Set<InjectedEvent>] = [:]
  private(set) var discoveries: [Discovery] = []
  private(set) var tried: Set<InjectedEvent> = []
  private(set) var counts = ExplorationCounts()
  /// What the machine has refused meanwhile.
  private(set) var earlyStop: Transcript.Failure?
  private var isReplayed = false
  /// What is at the point that the replayed token names, if it is something else.
  private var otherEvent: InjectedEvent?

  private let stage: ExplorationStage
  private let deadline: SuspendingClock.Instant
  private let formerMemory = ProcessMemory.current

  init(_ plan: Plan, _ bounds: Scenario.ExplorationBounds, on stage: ExplorationStage) {
    (self.plan, self.bounds, self.stage) = (plan, bounds.inForce, stage)
    self.deadline = .now + bounds.duration
    if plan.firstBlock > 0 { counts.firstStep = plan.stepNumber(ofBlock: plan.firstBlock) }
  }

  /// Explores the plan from one more run that has begun; an error if the plan itself does not come to
  /// its end.
  mutating func explore(from run: ScenarioRun) async throws(Transcript.Failure) {
    (baseline, withoutBlock, known, earlyStop) = ([], [:], [], nil)
    undisturbedEnd = nil
    var first = try Trace(run).saved()
    let (keys, last) = try await shown(from: first, in: plan.ownBlocks)
    (baseline, first.knownFailures) = (keys, last.knownFailures)
    let end = plan.endsWithStart ? try save(last) : nil
    do throws(Transcript.Failure) {
      baseline.formUnion(try await shown(from: first, in: plan.blocks.indices, inStarts: true).keys)
    } catch {
      // If a start fails there, nothing is known of what it does.
      if error.outcome.isOfRun { throw error }
    }
    if let end {
      // The start at the end is the plan's, not the scenario's.
      await inject(.relaunch, after: end, injecting: 1)
    }
    for depth in 1...bounds.depth where counts.isComplete {
      visited = [:]
      try first.run.goBack()
      await follow(first, injecting: depth)
    }
  }

  /// The findings of some blocks without injected events, with a backup after each block; and the trace behind the last.
  ///
  /// In starts: the errors of other starts that are explained, since the app may lose files of the user's in a start
  /// after each block.
  private func shown(
    from start: Trace, in blocks: Range<Int>, inStarts: Bool = false
  ) async throws(Transcript.Failure) -> (keys: Set<FindingKey>, last: Trace) {
    guard !inStarts || start.run.doesSomethingAtLaunch else { return ([], start) }
    func key(_ violation: Violation) -> FindingKey? {
      inStarts ? FindingKey.habit(violation) : FindingKey(violation)
    }
    var (trace, shown): (Trace, Set<FindingKey>) = (start, [])
    try trace.run.goBack()
    trace.run.endApp()
    defer { trace.run.endApp() }
    for block in plan.blocks[blocks] {
      for index in block.steps { try await trace.perform(.step(index), of: plan) }
      if inStarts { try await trace.perform(.event(.relaunch, version: ""), of: plan) }
      var copy = trace
      guard try await copy.canPerform(.backup, of: plan) else { continue }
      // Not what a purge takes for good there, though the plan moves it to another place later.
      let places = RuleList.purgeablePlaces
      shown.formUnion(copy.violations.filter { !places.contains($0.rule) }.compactMap(key))
    }
    trace.block = blocks.upperBound
    var ended = trace
    try await ended.perform(.backup, of: plan)
    try await ended.end()
    return (shown.union(ended.violations.compactMap(key)), trace)
  }

  /// Goes to the plan's end, and then injects events at each point on the way.
  private mutating func follow(_ start: Trace, injecting count: Int) async {
    var (trace, points): (Trace, [BranchPoint]) = (start, [])
    let end: TraceEnd
    do throws(Transcript.Failure) {
      end = try await goToEnd(&trace, injecting: count, &points)
    } catch {
      end = TraceEnd(error, of: trace)
    }
    finish(trace, end)
    trace.run.endApp()
    points.reverse()
    // What is kept of a container goes with its point.
    while let point = points.popLast() {
      await branch(at: point, injecting: count)
      if counts.isComplete { counts.recordedBytes -= point.recording?.byteCount ?? 0 }
    }
  }

  private mutating func goToEnd(
    _ trace: inout Trace, injecting count: Int, _ points: inout [BranchPoint]
  ) async throws(Transcript.Failure) -> TraceEnd {
    trace.run.keepsStart = count > 0 && !without.contains(.storageFull)
    while goesOn(&trace, to: plan.firstStep(ofBlock: trace.block), injecting: count) {
      let isEnd = trace.block == plan.blocks.count
      // What happens between the last start and the end, a backup shows.
      let isPoint = trace.block >= plan.firstBlock && count > 0 && !(isEnd && plan.endsWithStart)
      if isPoint { points.append(BranchPoint(trace: try save(trace))) }
      if let shortfall = counts.shortfall { return .cut(shortfall) }
      guard !isEnd else {
        let tree = trace.run.device.tree
        try await trace.perform(.backup, of: plan)
        try await trace.end()
        if trace.injected.isEmpty { undisturbedEnd = tree }
        if count == 0 { compareEnd(tree, of: &trace) }
        // A search with fewer events has judged it.
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

  /// Does the next block, from its beginning if it was interrupted; whether it came to its end, and no
  /// other trace has come to the same state in it.
  private mutating func performBlock(
    in trace: inout Trace, injecting count: Int
  ) async throws(Transcript.Failure) -> Bool {
    let block = plan.blocks[trace.block]
    let isQuiet = !trace.run.doesSomethingAtLaunch && !trace.wasDisturbedSinceKill
    let isResumed = try await resumes(block, in: trace)
    for index in block.steps {
      if let interrupted = trace.interruptedStep {
        if isResumed, index < interrupted { continue }
        if isQuiet, index < interrupted, let next = block.untouched[index], next > interrupted {
          // Done again it leaves what is there.
          trace.transitions.append(.step(index))
          continue
        }
        if index > interrupted, !goesOn(&trace, to: index, injecting: count) { return false }
      }
      try await trace.perform(.step(index), of: plan)
    }
    trace.block += 1
    return true
  }

  /// Whether an interrupted block goes on where it was interrupted, since it cannot be done again from its
  /// beginning: what is done is not done again.
  private func resumes(
    _ block: Plan.Block, in trace: Trace
  ) async throws(Transcript.Failure) -> Bool {
    guard let interrupted = trace.interruptedStep, !block.runsCode,
      plan.steps[block.steps.lowerBound..<interrupted].contains(where: { $0.repeatablePath == nil })
    else { return false }
    return try await !trace.run.canPerform(plan.steps[block.steps])
  }

  /// Whether a trace goes on with a step: no other has from the same state with as many events to
  /// inject, or what comes may explain what was found in it.
  private mutating func goesOn(_ trace: inout Trace, to step: Int, injecting count: Int) -> Bool {
    guard bounds.mergesStates, !trace.isConfirming else { return true }
    let node = SearchNode(trace, before: step, in: plan)
    guard let visit = visited[node], visit.count >= count else {
      visited[node, default: (0, [], nil)].count = count
      if !trace.injected.isEmpty { trace.nodes.append((node, trace.violations.count)) }
      return true
    }
    if count == 0, let end = visit.end { compareEnd(end, of: &trace) }
    let own = trace.violations[trace.baselineCount...].map(FindingKey.init)
    self.count(visit.seen.union(own), in: trace)
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
      } else if !without.contains(.kill) {
        try await crashWithinBlock(trace, injecting: count)
      }
    } catch {
      // What a simulated step cannot do was counted when the trace itself came here.
      if runsCode || error.outcome.isOfRun { finish(trace, .brokenOff(error)) }
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
    guard let transition = transition(to: event, after: trace), isWanted(injected, after: trace),
      takeBudget(for: injected, after: trace)
    else { return }
    var branch = trace
    branch.inject(injected)
    do throws(Transcript.Failure) {
      try branch.run.goBack()
      let happened = try await branch.perform(transition, of: plan)
      branch.keepData()
      if branch.interruptedStep != nil {
        // Until the app has done it again, a backup may have what it is not to have.
        let shown = branch.violations[trace.violations.count...].map { FindingKey($0) }
        branch.excused.formUnion(shown.filter { !RuleList.losses.contains($0.rule) })
      }
      if happened.last?.event.tookNothing == true, !without.contains(.relaunch) {
        // A relaunch shows that too.
        branch.run.endApp()
      } else {
        await follow(branch, injecting: count - 1)
      }
    } catch {
      finish(branch, TraceEnd(error, of: branch))
    }
  }

  /// An event as the transition that it is; nil if it cannot happen next, or shows no more than others.
  private func transition(to event: Scenario.Disturbance, after trace: Trace) -> Transition? {
    guard !without.contains(event) else { return nil }
    let state = trace.run.device
    switch event {
    case .kill, .storageFull: return nil
    // Before the first unlock nobody updates the system, or moves to another device. A restore installs an
    // offloaded app, whose reinstallation then deletes it first.
    case .updateSystem where state.lock == .neverUnlocked,
      .newDevice where state.lock == .neverUnlocked || state.app.isOffloaded:
      return nil
    case .relaunch where state.app.isOffloaded, .updateApp where state.app.isOffloaded:
      return nil
    case .relaunch:
      // If it does not run, the next block may start it anyway; a start at which it does nothing shows
      // no more than that.
      let showsMore =
        state.app.isRunning
        || trace.run.doesSomethingAtLaunch && !plan.startsApp(trace.block)
      return showsMore ? .event(event, version: "") : nil
    case .updateApp:
      // Steps for some versions of the app are done as without the update.
      let version = trace.run.usesAppVersions ? state.app.version : "\(state.app.version).1"
      return .event(event, version: version)
    case .updateSystem:
      // The app does not say that it runs under others.
      guard let newest = plan.scenario.systems.max(), state.system.version < newest else {
        return nil
      }
      return .event(event, version: "\(newest)")
    case .locked:
      // Other starts show what happens while all files can be read.
      let isMet = plan.scenario.launch.contains(where: \.usesFile) && !state.app.isOffloaded
      return isMet && state.lock == .unlocked ? .event(event, version: "") : nil
    case .idle, .lowStorage, .criticalStorage, .newDevice: return .event(event, version: "")
    }
  }

  /// Whether an event is one that the replayed token names, if there is one.
  private mutating func isWanted(_ event: InjectedEvent, after trace: Trace) -> Bool {
    guard let token = bounds.replayed else { return true }
    let index = trace.injected.count
    guard token.events.indices.contains(index) else { return false }
    let isMeant = event.isMeant(by: token.events[index])
    if isMeant == nil { otherEvent = event }
    if isMeant == true, index == token.events.count - 1 { isReplayed = true }
    return isMeant == true
  }

  /// Kills the app before each change of the next block's simulated steps.
  private mutating func crashWithinBlock(
    _ trace: Trace, injecting count: Int
  ) async throws(Transcript.Failure) {
    var whole = trace
    let steps = plan.blocks[trace.block].steps
    try await whole.run.planActivity(of: Array(plan.steps[steps]))
    for index in steps where counts.isComplete {
      let changes = try await whole.run.changes(in: plan.steps[index])
      await crash(whole, in: index, at: changes, injecting: count)
      try whole.run.goBack()
      try await whole.perform(.step(index), of: plan)
      whole = try save(whole)
    }
  }

  /// Kills the app before each change of the next block's code, as far as that was seen.
  private mutating func crashWithinCode(
    _ point: BranchPoint, injecting count: Int
  ) async throws(Transcript.Failure) {
    let (trace, index) = (point.trace, plan.firstStep(ofBlock: point.trace.block))
    // A kill that the plan has is the only one in its step.
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
      without.isDisjoint(with: [.storageFull, .lowStorage])
    {
      try await fillStorageAfterPurge(trace, in: index, injecting: count)
    }
  }

  /// Has the system purge, which does not make enough room for a write in a step of code.
  private mutating func fillStorageAfterPurge(
    _ trace: Trace, in step: Int, injecting count: Int
  ) async throws(Transcript.Failure) {
    var purged = trace
    try purged.run.goBack()
    purged.inject(InjectedEvent(step: plan.steps[step].number, point: .before(.lowStorage)))
    let events = try await purged.perform(.event(.lowStorage, version: ""), of: plan)
    if events.last?.event.tookNothing == true { return }
    purged = try save(purged)
    var whole = purged
    guard try await whole.canPerform(.step(step), of: plan),
      let recording = whole.run.latestRecording, recording.isWhole
    else { return }
    try await whole.perform(.backup, of: plan)
    try await whole.end()
    whole.run.endApp()
    // If the purge alone does harm, full storage shows no more.
    guard whole.violations[whole.baselineCount...].allSatisfy({ baseline.contains(FindingKey($0)) })
    else { return }
    let rehearsal = try await purged.run.rehearse(plan.steps[step], recording)
    await crash(purged, in: step, at: recording.growths, injecting: count, as: rehearsal)
  }

  /// Kills the app before each change of a step that may be cut, or fills the storage there, where the
  /// scenario has that happen.
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

  /// Whether a kill or full storage is tried. Before the first change of a block nothing is done: a relaunch shows
  /// that too.
  private func isTried(
    _ change: (place: Int, point: Scenario.KillPoint), in step: Int, of trace: Trace
  ) -> Bool {
    let isFirst = change.place == 0 && step == plan.firstStep(ofBlock: trace.block)
    return !without.contains(change.point.isStorageFull ? .storageFull : .kill)
      && (!isFirst || change.point.isStorageFull)
  }

  /// Kills the app within a step, or fills the storage, and tries each recovery.
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
      return isPossible && isWanted(event(recovery), after: trace)
    }
    guard !recoveries.isEmpty else { return }
    var killed = trace
    killed.inject(event(.retry))
    do throws(Transcript.Failure) {
      try killed.run.goBack()
      try await killed.perform(.killed(step, point), of: plan, as: rehearsal)
      killed.interruptedStep = step
      killed.rehearsal = rehearsal
      // Done again, an activity may have been done twice in the end, which the end without the kill does not show.
      killed.kept = nil
      let isSaved = recoveries.contains(.skip)
      if isSaved { killed = try save(killed) }
      for recovery in recoveries {
        guard takeBudget(for: event(recovery), after: trace) else { return }
        if isSaved { try killed.run.goBack() }
        killed.injected[killed.injected.count - 1] = event(recovery)
        switch recovery {
        case .retry: await follow(killed, injecting: count - 1)
        case .skip: try await goOn(after: killed, of: trace)
        }
      }
    } catch {
      finish(killed, TraceEnd(error, of: killed))
    }
  }

  /// Goes on without what was interrupted. What the plan shows without that block is no finding, nor is
  /// what the end or a backup at once shows, which lasts until the user tries again.
  private mutating func goOn(after killed: Trace, of trace: Trace) async throws(Transcript.Failure)
  {
    guard let without = try await runWithoutBlock(after: trace) else { return }
    try killed.run.goBack()
    var (going, ended, backedUp) = (killed, killed, killed)
    try await backedUp.perform(.backup, of: plan)
    backedUp.endMonitoring()
    try await ended.end()
    let keys = (ended.violations + backedUp.violations).map { FindingKey($0) }
    going.excused = without.shown.union(keys.filter { !RuleList.losses.contains($0.rule) })
    going.interruptedStep = nil
    going.keepData()
    going.block += 1
    try going.run.goBack()
    await follow(going, injecting: 0)
  }

  private mutating func runWithoutBlock(
    after trace: Trace
  ) async throws(Transcript.Failure) -> (shown: Set<FindingKey>, end: FileTree)? {
    if let known = withoutBlock[trace.block] { return known }
    var without: (shown: Set<FindingKey>, end: FileTree)?
    do throws(Transcript.Failure) {
      let (shown, last) = try await shown(from: trace, in: (trace.block + 1)..<plan.blocks.count)
      without = (shown, last.run.device.tree)
    } catch {
      if error.outcome.isOfRun { throw error }
    }
    withoutBlock[trace.block] = .some(without)
    return without
  }

  /// Compares the end that a trace comes to with the ends without what was injected into it.
  private func compareEnd(_ end: FileTree, of trace: inout Trace) {
    guard let undisturbedEnd else { return }
    var ends = [undisturbedEnd]
    if trace.skipsInterruptedStep, let step = trace.injected.last?.step,
      case let without?? = withoutBlock[plan.block(ofStep: step)]
    {
      ends.append(without.end)
    }
    trace.compareEnd(end, with: ends)
  }

  /// Takes up how a trace ended.
  private mutating func finish(_ trace: Trace, _ end: TraceEnd) {
    switch end {
    case .completed:
      for (node, _) in trace.nodes { visited[node]?.end = trace.run.device.tree }
      count(trace.violations[trace.baselineCount...].map(FindingKey.init), in: trace)
      if isNew(trace) { discover(trace.monitor.findings(of: trace.violations), in: trace) }
    case .merged: break
    case .stopped(let failure):
      counts.stopped.append(
        StoppedTrace(
          step: failure.step, injected: trace.injected, reason: failure.message,
          isReported: discover(in: trace, stoppedBy: failure)))
    case .notRepeatable(let failure): counts.unrepeated.append("\(failure)")
    case .brokenOff(let failure): earlyStop = earlyStop ?? failure
    case .cut(let shortfall): counts.shortfall = shortfall
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
      && !trace.excused.contains(key) && !known.contains(key)
  }

  private mutating func count(_ keys: some Sequence<FindingKey>, in trace: Trace) {
    let new = Set(keys).subtracting(baseline)
    guard !new.isEmpty else { return }
    for (node, place) in trace.nodes {
      let former = Set(trace.violations[..<place].map(FindingKey.init))
      let later = Set(trace.violations[place...].map(FindingKey.init))
      visited[node]?.seen.formUnion(new.subtracting(former.subtracting(later)))
    }
    guard trace.injected.count == 1 else { return }
    for key in new { causes[key, default: []].insert(trace.injected[0]) }
  }

  private mutating func discover(_ findings: [Scenario.Finding], in trace: Trace) {
    let discovered = findings.map { finding in
      Discovery(
        finding: finding, variant: trace.run.variant, injected: trace.injected,
        transitions: trace.transitions, changes: trace.rehearsal?.recording?.allPoints ?? [],
        calls: trace.run.transcript.calls)
    }
    count(discovered.map(\.key), in: trace)
    for new in discovered
    where isNew(new.key, new.finding.severity, at: new.finding.path, in: trace) {
      known.insert(new.key)
      discoveries.append(new)
    }
  }

  /// Reports what was found in a trace until a step failed; whether that reports the failure too.
  private mutating func discover(in trace: Trace, stoppedBy error: Transcript.Failure) -> Bool {
    let isOfCode = error.outcome.failedAct.map { $0 == .code || plan.runsCode(error.step) } ?? false
    // After a kill the kit does a simulated step again, and the app may look first: the trace is named.
    let mayBeRight = !isOfCode && !trace.skipsInterruptedStep && !isBlamed(error, on: trace)
    let found = trace.monitor.findings(of: trace.violations)
      .filter { !mayBeRight || $0.step != error.step }
    // A user does not repeat what is done, and the app may refuse it.
    if let step = trace.interruptedStep, plan.steps[step].reference == error.step,
      isOfCode,
      trace.rehearsal?.recording?.isDone(in: trace.run.device.tree, on: trace.run.device.system)
        == true
    {
      discover(found, in: trace)
      return false
    }
    var failures: [Scenario.Finding] = []
    // Without the skipped block no step fails.
    if isOfCode || trace.skipsInterruptedStep {
      failures = found.filter {
        error.outcome.isReportedByRule && $0.step == error.step && $0.severity == .error
      }
      if failures.isEmpty { failures = [.stepFailed(error)] }
    } else if !mayBeRight, !error.outcome.isReportedByRule {
      failures = [.stepFailed(error)]
    }
    discover(found + failures.filter(\.isStepFailure), in: trace)
    // The end shows what an item lacks that the failing step has met.
    var ended = trace
    ended.endMonitoring(afterFailure: true)
    let atEnd = ended.monitor.findings(of: ended.violations)
    discover(
      atEnd.filter { !mayBeRight && $0.step == error.step && $0.severity == .error }, in: ended)
    // What the user has lost is reported, though the next step cannot be done: that step has started the
    // app before.
    _ = ended.transitions.popLast()
    if ended.run.doesSomethingAtLaunch { ended.transitions.append(.event(.relaunch, version: "")) }
    discover(atEnd.filter { RuleList.losses.contains($0.rule) }, in: ended)
    return !mayBeRight
  }

  /// Whether what was injected is to blame for a simulated step's failure. After a kill a simulated step is
  /// done again that an app may not do again; but each start does what it does.
  private func isBlamed(_ error: Transcript.Failure, on trace: Trace) -> Bool {
    guard error.outcome.failedAct == .simulated else { return false }
    return error.step.isOfLaunch
      || trace.interruptedStep == nil && trace.injected.last?.crashPoint == nil
        && plan.isOfApp(error.step)
  }

  private mutating func takeBudget(for event: InjectedEvent, after trace: Trace) -> Bool {
    guard counts.isComplete else { return false }
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
    case .time: SuspendingClock.now >= deadline
    case .bytes: max(counts.savedBytes, counts.recordedBytes) > counts.mostBytes
    case .memory: ProcessMemory.current - formerMemory > stage.mostMemory
    case .cancellation: Task.isCancelled
    }
  }

  /// A copy of a trace, whose container is kept. The search ends if all copies or recordings take too much.
  private mutating func save(_ trace: Trace) throws(Transcript.Failure) -> Trace {
    let copy = try trace.saved()
    (counts.savedBytes, counts.mostBytes) = (trace.run.savedBytes, stage.limits.bytes)
    endSearch(at: [.bytes, .memory])
    return copy
  }

  /// The reason why the replayed trace was not followed; nil if it was, or none is replayed.
  var replayFailure: String? {
    guard bounds.replayed != nil else { return nil }
    guard !isReplayed else {
      return counts.unrepeated.first.map { "the trace cannot be repeated: \($0)" }
    }
    let other = otherEvent.map { "; the token for that point is now '\($0)'" } ?? ""
    return "the scenario no longer has the point that the token names\(other). Explore it again"
  }
}

package struct Discovery: Sendable {
  package let finding: Scenario.Finding
  let variant: Scenario.Variant
  let injected: [InjectedEvent]
  let transitions: [Transition]
  let changes: [Scenario.KillPoint]
  package let calls: [Transcript.Call]

  var key: FindingKey { FindingKey(finding, isAfterKill: injected.last?.crashPoint != nil) }
}
