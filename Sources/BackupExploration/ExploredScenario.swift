package import BackupCollections
import BackupDiagnostics
package import BackupFileTree
package import BackupRules
package import BackupScenarios

/// The result of exploring a scenario under the oldest and the newest of its versions of iOS.
package struct ExploredScenario: Sendable {
  @Boxed package private(set) var scenario: Scenario
  package private(set) var counts = ExplorationCounts()
  /// The first injected event of each trace.
  package private(set) var firstEvents: Set<InjectedEvent> = []
  /// The smallest traces that show a finding, one for each cause.
  package private(set) var counterexamples: [Counterexample] = []
  /// The reason why there is no result; nil if there is one. For example, the scenario could not be
  /// explored, a run without events failed, or a token could not be replayed.
  package private(set) var obstacle: String?
  /// True if the obstacle is a failure and not the user's choice, or if a trace stopped early.
  package private(set) var hasFailed = false
  /// The reason why the exploration or one of its traces stopped early; nil if none did.
  package private(set) var earlyStopReason: String?
  /// The unnecessary entries of the scenario's `updatesKeep`: the scenario has no findings even if
  /// an update loses these items.
  package private(set) var unneededUpdatesKeep: Set<UpdateLoss> = []
  /// The failure that ended the exploration or a trace, if the app is not its cause. For example,
  /// the machine had a fault, or the test was cancelled. The value is nil if there is no such
  /// failure.
  package private(set) var machineFault: String?

  package var hasError: Bool { counterexamples.contains { $0.finding.severity == .error } }
  package var isExplored: Bool { obstacle == nil }

  package init(
    _ scenario: Scenario, _ bounds: Scenario.ExplorationBounds,
    on stage: ExplorationStage = ExplorationStage()
  ) async {
    self.scenario = scenario
    self.obstacle = stage.obstacle(to: scenario)
    if obstacle == nil { await explore(bounds, stage) }
  }

  private mutating func explore(_ bounds: Scenario.ExplorationBounds, _ stage: ExplorationStage)
    async
  {
    let systems = Set([scenario.systems.min(), scenario.systems.max()].compactMap(\.self))
    let variants = systems.sorted().compactMap { system in
      scenario.variants.first { $0.system == system }
    }
    for variant in variants {
      guard let failure = await stage.failureReason(of: scenario, variant) else { continue }
      return fail("it fails without any injected event, under \(variant): \(failure)")
    }
    if let firstStepNumber = scenario.exploration.firstStepNumber,
      firstStepNumber > scenario.steps.count
    {
      return fail(
        "its 'explore' starts at step \(firstStepNumber), but the scenario has "
          + "\(scenario.steps.count.counted("step")); name one of them in 'from'")
    }
    let launchRunsCode = stage.runner?.launchRunsCode(of: scenario) == true
    guard let plan = Plan(scenario, launchRunsCode: launchRunsCode) else {
      obstacle =
        "it was not read from a file, and only scenarios from files can be explored; write it as a "
        + ".json5 file"
      return
    }
    var search = Explorer(plan, bounds, on: stage)
    for variant in variants where search.counts.isWithinLimits {
      do {
        try await search.explore(from: try stage.beginRun(scenario, variant))
      } catch {
        if (error as? Transcript.Failure)?.outcome.hasCauseOutsideApp == true {
          machineFault = "\(error)"
        }
        // The traces before the error may have shown problems, which are reported too.
        guard search.counts.traces > 0 else { return fail("it stops early: \(error)") }
        stopEarly("the exploration under \(variant) stopped early at \(error)")
        break
      }
      if let error = search.earlyStopFailure {
        hasFailed = true
        earlyStopReason = "one of the runs with injected events stopped early at \(error)"
        if error.outcome.hasCauseOutsideApp { machineFault = "\(error)" }
      }
    }
    (counts, firstEvents) = (search.counts, search.firstEvents)
    counts.hasUnseenStart = stage.runner?.lacksLaunchCode(of: scenario) == true
    await addCounterexamples(from: search, plan, stage)
    if let failure = search.replayFailure { fail(failure) }
  }

  /// Marks the exploration as failed and as stopped early. An earlier reason for a stop remains.
  package mutating func stopEarly(_ reason: String) {
    hasFailed = true
    earlyStopReason = earlyStopReason ?? reason
  }

  package mutating func setUnneededUpdatesKeep(_ losses: Set<UpdateLoss>) {
    unneededUpdatesKeep = losses
  }

  private mutating func fail(_ reason: String) {
    hasFailed = true
    obstacle = reason
  }

  /// Groups the discoveries by their likely cause, and finds the smallest trace for each cause.
  private mutating func addCounterexamples(
    from search: Explorer, _ plan: Plan, _ stage: ExplorationStage
  ) async {
    var knownKeys: Set<FindingKey> = []
    let groups = search.discoveries.filter { knownKeys.insert($0.key).inserted }
      .grouped { $0.cause(in: plan) }
    for discoveries in groups {
      let causingEvents = discoveries.reduce(into: Set<InjectedEvent>()) {
        causingEvents, discovery in
        causingEvents.formUnion(search.eventsByFinding[discovery.key] ?? [])
      }
      counterexamples.append(
        await Counterexample(
          discoveries[0], causingEvents: causingEvents, otherItemCount: discoveries.count - 1, plan,
          stage))
    }
    counterexamples = counterexamples.enumerated().sorted {
      ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset)
    }.map(\.element)
  }
}

extension Discovery {
  /// Returns the likely cause of the finding.
  ///
  /// Two findings have equal causes if these are equal:
  ///
  /// * the mistake, which is the rule, or a missing mark under any rule
  /// * the severity
  /// * the directory of the item
  /// * the action or block of the last event
  fileprivate func cause(in plan: Plan) -> Cause {
    let directory = finding.path?.parent.map { NameForm.replacingRandomParts("\($0)") }
    let blockIndex = injectedEvents.last.map { plan.block(ofStep: $0.stepNumber) }
    let actionName =
      injectedEvents.last?.crashPoint == nil ? nil : blockIndex.flatMap(plan.action(ofBlock:))
    return Cause(
      mistake: finding.missingMark.isEmpty ? .rule(finding.rule) : .missingMark,
      severity: finding.severity, place: directory ?? finding.step.summary, actionName: actionName,
      blockIndex: actionName == nil ? blockIndex : nil)
  }

  fileprivate struct Cause: Hashable {
    let mistake: Mistake
    let severity: Scenario.Severity
    /// The item's directory, or the step if the finding is on no item.
    let place: String
    let actionName: String?
    let blockIndex: Int?

    enum Mistake: Hashable {
      case rule(String)
      case missingMark
    }
  }
}

/// The smallest trace that shows a finding, as a scenario file to commit.
package struct Counterexample: Sendable {
  private let shrinker: Shrinker
  /// The pieces of the trace that are necessary to show the finding.
  private let pieces: [Shrinker.TracePiece]
  package let finding: Scenario.Finding
  package let reproduction: Reproduction
  /// The injected events that each alone cause this finding, or another finding with the same
  /// cause.
  package let causingEvents: Set<InjectedEvent>
  /// The number of other items with the same mistake.
  package let otherItemCount: Int
  /// The app's changes after the last event, up to the start or step that lost the item.
  package let changesAfterLastEvent: [LaterChanges]

  /// The result of running the trace as a scenario.
  package enum Reproduction: Hashable, Sendable {
    /// The scenario shows the finding.
    case shown
    /// The scenario shows the finding only in comparison with its run without the events.
    case shownByComparison
    /// The scenario does not show the finding.
    case notShown
    /// The scenario could not be run, for this reason.
    case notRunnable(String)
  }

  fileprivate init(
    _ discovery: Discovery, causingEvents: Set<InjectedEvent>, otherItemCount: Int, _ plan: Plan,
    _ stage: ExplorationStage
  ) async {
    self.shrinker = Shrinker(plan: plan, stage: stage, discovery: discovery)
    (self.causingEvents, self.otherItemCount) = (causingEvents, otherItemCount)
    (pieces, finding, reproduction) = await shrinker.smallestTrace()
    self.changesAfterLastEvent = await shrinker.changesAfterLastEvent(
      of: pieces, takingItemOf: finding)
  }

  /// The rank in the report: first lost user data that a scenario shows, then other errors, then
  /// warnings.
  fileprivate var rank: Int {
    let isLoss = RuleList.lossRuleNames.contains(finding.rule) && reproduction == .shown
    return finding.severity == .error ? (isLoss ? 0 : 1) : 2
  }

  package var text: String { shrinker.text(of: pieces) }
  package var stepCount: Int { shrinker.scenario(of: pieces).steps.count }
  package var formerStepCount: Int { shrinker.plan.scenario.steps.count }
  package var injectedEvents: [InjectedEvent] { shrinker.discovery.injectedEvents }
  package var interruptedStepChanges: [Scenario.InterruptionPoint] {
    shrinker.discovery.interruptedStepChanges
  }
  package var discovery: Discovery { shrinker.discovery }

  /// The replay token, with which `--replay` repeats the trace.
  package var token: String { injectedEvents.token(in: shrinker.plan.scenario) }

  /// The step at which the finding is reported: that of the first injected event.
  package var firstEventStep: Scenario.StepReference {
    let steps = shrinker.plan.steps
    let stepOfFirstEvent = steps.first { $0.number == injectedEvents.first?.stepNumber }
    return (stepOfFirstEvent ?? steps.last)?.reference ?? finding.step
  }
}

/// The changes that a start or a step of the app makes after an event.
package struct LaterChanges: Sendable {
  /// The start or the step in words, such as `the next start`.
  package let activity: String
  package internal(set) var changes: [FileTree.Change]
}

/// A trace that stopped before the end of the plan, because a step failed.
package struct StoppedTrace: Hashable, Sendable {
  package let step: Scenario.StepReference
  /// The events that were injected before the failure.
  package let injectedEvents: [InjectedEvent]
  package let reason: String
  /// True if a finding reports the failure.
  package let isReported: Bool
}

/// The numbers of points and traces in a search, and the parts that the search has left out.
package struct ExplorationCounts: Hashable, Sendable {
  /// The limit that ended the search.
  package enum SearchLimit: CaseIterable, Hashable, Sendable {
    /// The limit on the number of traces.
    case budget
    case time
    /// The limit on the bytes of saved containers, or of the recorded changes of the app's code.
    case bytes
    /// The limit on the memory of the process.
    case memory
    /// The test was cancelled.
    case cancellation
  }

  /// A reason why the search left something out, although no limit ended it.
  package enum OmissionReason: CaseIterable, Hashable, Sendable {
    /// A step failed, so the trace stopped before the end of the plan.
    case stepFailed
    /// The repeated step did not make the change at which the app was to be killed, or the storage
    /// was to be full.
    case notRepeatable
    /// The kit did not see all changes of a step, so it did not kill the app there.
    case unseenChanges
    /// A step changed its files in another order when it was repeated.
    case reorderedChanges
  }

  /// The number of the first step before which events are injected; nil for the scenario's first
  /// step.
  package internal(set) var firstStepNumber: Int?
  /// The number of points between blocks, at which iOS can act.
  package internal(set) var quiescentPoints = 0
  /// The number of points within blocks, at which the app is killed or the storage is full.
  package internal(set) var crashPoints = 0
  package internal(set) var traces = 0
  /// The traces that a failed step stopped before the end of the plan.
  package internal(set) var stoppedTraces: [StoppedTrace] = []
  /// The failure of each trace that could not be repeated (``OmissionReason/notRepeatable``).
  package internal(set) var repetitionFailures: [String] = []
  /// The numbers of the steps whose code made changes that the kit did not see.
  package internal(set) var stepsWithUnseenChanges: Set<Int> = []
  /// The numbers of the steps whose code changed the files in another order when it was repeated.
  package internal(set) var stepsWithReorderedChanges: Set<Int> = []
  /// True if the scenario runs the app's own code, but neither the scenario nor the app has a
  /// `launch`.
  package internal(set) var hasUnseenStart = false
  /// The limit that ended the search; nil if none did.
  package internal(set) var reachedLimit: SearchLimit?
  /// The bytes of the saved containers, the bytes of the recorded changes, and the limit on each.
  package internal(set) var (savedBytes, recordedBytes, byteLimit) = (0, 0, 0)

  package var isWithinLimits: Bool { reachedLimit == nil }

  /// True if the search left nothing out.
  package var leavesNothingOut: Bool { isWithinLimits && omissionReasons.isEmpty }

  package var omissionReasons: [OmissionReason] {
    OmissionReason.allCases.filter { count(of: $0) > 0 }
  }

  /// Returns the number of traces or steps that the search left out for this reason.
  package func count(of omissionReason: OmissionReason) -> Int {
    switch omissionReason {
    case .stepFailed: stoppedTraces.count
    case .notRepeatable: repetitionFailures.count
    case .unseenChanges: stepsWithUnseenChanges.count
    case .reorderedChanges: stepsWithReorderedChanges.count
    }
  }
}
