import BackupDevice
import BackupFileTree
import BackupRules
import BackupScenarios

/// The search through all traces of a plan: at each point the plan goes on, the system acts, or the
/// app is killed.
///
/// It goes depth first, over states of the device and of the rules; a trace that comes to a state from
/// which another has gone on ends there. Fewer injected events come first, so that what is found is
/// found with as few as possible.
struct Explorer: Sendable {
  private struct BranchPoint {
    let trace: Trace
    /// What the code of the next block changes, if that was seen.
    var recording: Recording?
  }

  let plan: Plan
  private let bounds: ExplorationBounds
  private let start: SteppedRun
  /// For each state how many events were injected at most after it.
  private var visited: [SearchNode: Int] = [:]
  /// What the plan shows without injected events, with a backup after each block.
  private var baseline: Set<FindingKey> = []
  private var known: [ExplorationBounds.Tier: Set<FindingKey>] = [:]
  private(set) var discoveries: [Discovery] = []
  private(set) var counts: ExplorationCounts
  /// Why the plan itself does not come to its end, without injected events.
  private var failure: TransitionError?
  /// What the machine has refused meanwhile.
  private(set) var trouble: TransitionError?
  private(set) var isReplayed = false
  /// What is at the point that the replayed token names, if it is something else.
  private(set) var otherEvent: InjectedEvent?

  init(
    _ plan: Plan, _ run: SteppedRun, _ bounds: ExplorationBounds, after counts: ExplorationCounts
  ) {
    self.plan = plan
    self.start = run
    self.bounds = bounds
    self.counts = counts
  }

  /// Whether momentary violations are told from those until retried: that takes one more trace for
  /// each crash point.
  var tellsTiersApart: Bool {
    start.isValue || bounds.tier != .permanent || bounds.replayed != nil
  }

  /// Explores the plan.
  ///
  /// - Throws: ``TransitionError`` if the plan itself does not come to its end.
  mutating func explore() async throws(TransitionError) {
    let first = try Trace(start).saved()
    let most = bounds.replayed?.events.count ?? bounds.depth
    for depth in stride(from: 1, through: most, by: 1) where counts.isComplete {
      visited = [:]
      try first.run.goBack()
      await follow(first, injecting: depth)
      if let failure { throw failure }
    }
  }

  // MARK: Going on

  /// Goes to the plan's end, and then injects events at each point on the way.
  private mutating func follow(_ trace: Trace, injecting count: Int) async {
    var points: [BranchPoint] = []
    await goToEnd(trace, injecting: count, &points)
    guard failure == nil else { return }
    points.reverse()
    // What is kept of a container goes with its point.
    while let point = points.popLast() { await branch(at: point, injecting: count) }
  }

  private mutating func goToEnd(
    _ start: Trace, injecting count: Int, _ points: inout [BranchPoint]
  ) async {
    var trace = start
    defer { trace.run.endApp() }
    do throws(TransitionError) {
      while goesOn(&trace, to: plan.firstStep(ofBlock: trace.block), injecting: count) {
        let isPoint = trace.block >= plan.firstBlock && count > 0
        if isPoint { points.append(BranchPoint(trace: try trace.saved())) }
        guard trace.block < plan.blocks.count else {
          try await performEnd(of: &trace)
          if trace.injected.isEmpty {
            baseline.formUnion(trace.violations.map(FindingKey.init))
          } else if count == 0 {
            judge(trace, .permanent)
          }
          return
        }
        let runsCode = plan.runsCode(in: trace.block)
        guard try await performBlock(in: &trace, injecting: count) else { return }
        if isPoint, runsCode { points[points.count - 1].recording = trace.run.latestRecording }
        if trace.injected.isEmpty { await noteBaseline(trace) }
      }
    } catch {
      if trace.injected.isEmpty, !Task.isCancelled { failure = error }
      await abandon(trace, error)
    }
  }

  /// Does the next block, from its beginning if it was interrupted.
  ///
  /// - Returns: Whether it was done to its end: not if another trace has come to the same state in it.
  private mutating func performBlock(
    in trace: inout Trace, injecting count: Int
  ) async throws(TransitionError) -> Bool {
    let block = plan.blocks[trace.block]
    let isQuiet = !trace.run.doesSomethingAtLaunch
    for index in block.steps {
      if let interrupted = trace.interruptedStep {
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
    guard trace.interruptedStep != nil else { return true }
    trace.interruptedStep = nil
    try await trace.perform(.backup, of: plan)
    return true
  }

  /// At the end the app starts once more, if it does something then, and a backup shows what it leaves.
  private func performEnd(of trace: inout Trace) async throws(TransitionError) {
    if trace.run.doesSomethingAtLaunch {
      try await trace.perform(.event(.relaunch, version: ""), of: plan)
    }
    try await trace.perform(.backup, of: plan)
    trace.end()
  }

  /// Whether a trace goes on with a step: no other has from the same state with as many events to
  /// inject, or what comes may explain what was found in it.
  private mutating func goesOn(_ trace: inout Trace, to step: Int, injecting count: Int) -> Bool {
    guard bounds.mergesStates, !trace.isConfirming else { return true }
    let node = SearchNode(trace, before: step, in: plan)
    if visited[node, default: -1] < count {
      visited[node] = count
      return true
    }
    guard !trace.injected.isEmpty else { return true }
    trace.isConfirming = count == 0 && isNew(trace.newViolations, .permanent)
    return trace.isConfirming
  }

  private mutating func takeBudget() -> Bool {
    if Task.isCancelled {
      counts.shortfall = .cancellation
    } else if counts.traces >= bounds.budget {
      counts.shortfall = .budget
    } else {
      counts.traces += 1
      return true
    }
    return false
  }

  // MARK: Injecting events

  private mutating func branch(at point: BranchPoint, injecting count: Int) async {
    guard counts.isComplete else { return }
    let trace = point.trace
    // While something interrupted is not done again, nothing else happens.
    if trace.interruptedStep == nil { await injectEvents(trace, injecting: count) }
    guard counts.isComplete, trace.block < plan.blocks.count, plan.blocks[trace.block].isActivity,
      !plan.scenario.exploration.without.contains(.kill)
    else { return }
    if plan.runsCode(in: trace.block) {
      await crashWithinCode(point, injecting: count)
    } else {
      await crashWithinBlock(trace, injecting: count)
    }
  }

  /// Has the system act before the next block.
  private mutating func injectEvents(_ trace: Trace, injecting count: Int) async {
    counts.quiescentPoints += 1
    for event in Scenario.ExploredAct.allCases where isPossible(event, after: trace) {
      let injected = InjectedEvent(
        step: plan.stepNumber(ofBlock: trace.block), point: .before(event))
      guard isWanted(injected, after: trace) else { continue }
      guard takeBudget() else { return }
      var branch = trace
      branch.inject(injected)
      let happened: [Transcript.Entry]
      do throws(TransitionError) {
        try branch.run.goBack()
        happened = try await branch.perform(
          .event(event, version: version(after: event, trace)), of: plan)
      } catch {
        await abandon(branch, error)
        continue
      }
      if happened.last?.event.hasPurgedNothing == true,
        !plan.scenario.exploration.without.contains(.relaunch)
      {
        // A relaunch shows that too.
        branch.run.endApp()
        continue
      }
      await follow(branch, injecting: count - 1)
    }
  }

  /// Whether an event can happen next, and shows something that no other does.
  private func isPossible(_ event: Scenario.ExploredAct, after trace: Trace) -> Bool {
    let state = trace.run.state
    switch event {
    case .kill: return false
    case .relaunch:
      // If it does not run, the next block may start it anyway; a start at which it does nothing shows
      // no more than that.
      let isStartedAnyway =
        trace.block < plan.blocks.count && plan.blocks[trace.block].isActivity
      guard state.app.isRunning || trace.run.doesSomethingAtLaunch && !isStartedAnyway else {
        return false
      }
    case .updateSystem:
      // The app does not say that it runs under others.
      guard let newest = plan.scenario.systems.max(), state.system.version < newest else {
        return false
      }
    default: break
    }
    return !plan.scenario.exploration.without.contains(event)
  }

  private func version(after event: Scenario.ExploredAct, _ trace: Trace) -> String {
    switch event {
    case .updateApp: "\(trace.run.state.app.version).1"
    case .updateSystem: plan.scenario.systems.max().map { "\($0)" } ?? ""
    default: ""
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

  // MARK: Crashes

  /// Kills the app before each change of the next block's simulated steps.
  private mutating func crashWithinBlock(_ trace: Trace, injecting count: Int) async {
    var whole = trace
    let block = plan.blocks[trace.block]
    await whole.run.planActivity(of: Array(plan.steps[block.steps]))
    for index in block.steps where counts.isComplete {
      let changes = await whole.run.changes(in: plan.steps[index])
      for (number, point) in changes.enumerated() where counts.isComplete {
        // Before the first change nothing is done: a relaunch shows that too.
        if index == block.steps.lowerBound, number == 0 { continue }
        counts.crashPoints += 1
        await crash(whole, in: index, before: number + 1, point, injecting: count)
      }
      do throws(TransitionError) {
        try whole.run.goBack()
        try await whole.perform(.step(index), of: plan)
        whole = try whole.saved()
      } catch {
        // What a simulated step cannot do was counted when the trace itself came here.
        if error.cause == .machine { trouble = trouble ?? error }
        return
      }
    }
  }

  /// Kills the app before each change of the next block's code, as far as that was seen.
  private mutating func crashWithinCode(_ point: BranchPoint, injecting count: Int) async {
    let index = plan.blocks[point.trace.block].steps.lowerBound
    // A kill that the plan has is the only one in its step.
    guard !plan.steps[index].isKilled else { return }
    let recording = point.recording.flatMap { $0.isWhole ? $0 : nil }
    do throws(TransitionError) {
      guard let recording, try point.trace.run.isFaithful(recording) else {
        counts.unseenSteps.insert(plan.steps[index].number)
        return
      }
      for (place, change) in recording.points where place > 0 && counts.isComplete {
        counts.crashPoints += 1
        await crash(
          point.trace, in: index, before: place + 1, change, injecting: count, as: recording)
      }
    } catch {
      trouble = trouble ?? error
    }
  }

  /// Kills the app within a step, and tries each recovery.
  private mutating func crash(
    _ trace: Trace, in step: Int, before change: Int, _ point: Scenario.KillPoint,
    injecting count: Int, as recording: Recording? = nil
  ) async {
    func event(_ recovery: InjectedEvent.Recovery) -> InjectedEvent {
      InjectedEvent(
        step: plan.steps[step].number, point: .within(change: change, point, then: recovery))
    }
    var recoveries: [InjectedEvent.Recovery] = []
    for recovery in InjectedEvent.Recovery.allCases {
      let isPossible =
        switch recovery {
        case .nothing: count == 1
        case .relaunch: count == 1 && trace.run.doesSomethingAtLaunch && tellsTiersApart
        case .retry: true
        }
      if isPossible, isWanted(event(recovery), after: trace) { recoveries.append(recovery) }
    }
    guard !recoveries.isEmpty else { return }
    var killed = trace
    killed.inject(event(.retry))
    do throws(TransitionError) {
      try killed.run.goBack()
      try await killed.perform(.killed(step, point), of: plan, as: recording)
      killed.interruptedStep = step
      killed.changes = recording?.allPoints ?? []
      for recovery in recoveries {
        guard takeBudget() else { return }
        killed.injected[killed.injected.count - 1] = event(recovery)
        switch recovery {
        case .nothing:
          await endAfterCrash(
            killed, trace.run.doesSomethingAtLaunch ? .momentary : .untilRetried)
        case .relaunch:
          killed = try killed.saved()
          await endAfterCrash(killed, relaunching: true, .untilRetried)
          try killed.run.goBack()
        case .retry: await follow(killed, injecting: count - 1)
        }
      }
    } catch {
      await abandon(killed, error)
    }
  }

  /// Judges what a crash has left by a backup.
  private mutating func endAfterCrash(
    _ killed: Trace, relaunching: Bool = false, _ tier: ExplorationBounds.Tier
  ) async {
    var ended = killed
    defer { ended.run.endApp() }
    do throws(TransitionError) {
      if relaunching { try await ended.perform(.event(.relaunch, version: ""), of: plan) }
      try await ended.perform(.backup, of: plan)
    } catch {
      return await abandon(ended, error)
    }
    ended.endMonitoring()
    judge(ended, tier)
  }

  // MARK: Judging

  /// Notes what a backup after the last block shows, without injected events.
  private mutating func noteBaseline(_ trace: Trace) async {
    var copy = trace
    guard (try? await copy.perform(.backup, of: plan)) != nil else { return }
    baseline.formUnion(copy.violations.map(FindingKey.init))
  }

  private mutating func judge(_ trace: Trace, _ tier: ExplorationBounds.Tier) {
    guard isNew(trace.newViolations, tier) else { return }
    let findings = trace.monitor.findings(of: trace.violations)
    for finding in findings where isNew(FindingKey(finding), finding.severity, tier) {
      discover(finding, in: trace, tier)
    }
  }

  private func isNew(_ violations: ArraySlice<Violation>, _ tier: ExplorationBounds.Tier) -> Bool {
    violations.contains { isNew(FindingKey($0), $0.severity, tier) }
  }

  private func isNew(
    _ key: FindingKey, _ severity: Scenario.Severity, _ tier: ExplorationBounds.Tier
  ) -> Bool {
    severity <= (tier == .permanent ? .warning : .error) && !baseline.contains(key)
      && known[tier]?.contains(key) != true
  }

  private mutating func discover(
    _ finding: Scenario.Finding, in trace: Trace, _ tier: ExplorationBounds.Tier
  ) {
    guard known[tier, default: []].insert(FindingKey(finding)).inserted else { return }
    discoveries.append(
      Discovery(
        finding: finding, tier: tier, injected: trace.injected, transitions: trace.transitions,
        changes: trace.changes))
  }

  private mutating func abandon(_ trace: Trace, _ error: TransitionError) async {
    // If a test is cancelled, the app is ended.
    if Task.isCancelled, error.cause != .step {
      counts.shortfall = .cancellation
      return
    }
    counts.abandoned += 1
    guard !trace.injected.isEmpty else { return }
    guard error.cause != .machine else {
      trouble = trouble ?? error
      return
    }
    if error.cause == .code {
      let reported = trace.monitor.findings(of: trace.violations).filter {
        error.isReportedByRule && $0.step == error.step && $0.severity == .error
      }
      for finding in reported.isEmpty ? [.stepFailed(error)] : reported
      where isNew(FindingKey(finding), finding.severity, .permanent) {
        discover(finding, in: trace, .permanent)
      }
    }
    noteLosses(in: trace)
  }

  /// Reports what the user has lost in a trace whose next step cannot be done.
  private mutating func noteLosses(in trace: Trace) {
    var trace = trace
    trace.endMonitoring()
    let losses = trace.monitor.findings(of: trace.violations).filter {
      RuleList.losses.contains($0.rule) && isNew(FindingKey($0), $0.severity, .permanent)
    }
    guard !losses.isEmpty else { return }
    // The step that fails has started the app before.
    trace.transitions.removeLast()
    if trace.run.doesSomethingAtLaunch { trace.transitions.append(.event(.relaunch, version: "")) }
    for finding in losses { discover(finding, in: trace, .permanent) }
  }
}

/// What makes findings of several traces one: the rule and the item.
struct FindingKey: Hashable, Sendable {
  let rule: String
  /// The item, without what is random in its name; the step's summary for a finding without one.
  let subject: String

  init(_ finding: Scenario.Finding) {
    self.init(finding.rule, finding.path, finding.step)
  }

  init(_ violation: Violation) {
    self.init(violation.rule, violation.path, violation.step)
  }

  private init(_ rule: String, _ path: ContainerPath?, _ step: Scenario.StepReference) {
    self.rule = rule
    self.subject = path.map { NameForm.withoutRandomParts("\($0)") } ?? step.summary
  }
}

/// A finding of a trace with injected events.
struct Discovery: Sendable {
  let finding: Scenario.Finding
  let tier: ExplorationBounds.Tier
  let injected: [InjectedEvent]
  let transitions: [Transition]
  /// All changes of the step in which the app was killed, if it ran code of its own.
  let changes: [Scenario.KillPoint]

  var key: FindingKey { FindingKey(finding) }
}

extension Transcript.Event {
  /// Whether the system has ended the app, for want of storage, and found nothing to take.
  fileprivate var hasPurgedNothing: Bool {
    if case .purge(_, taken: let taken) = self { taken.isEmpty } else { false }
  }
}
