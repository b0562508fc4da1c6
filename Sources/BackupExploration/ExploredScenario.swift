package import BackupCollections
import BackupDiagnostics
package import BackupFileTree
package import BackupRules
package import BackupScenarios

/// The result of exploring a scenario under its oldest and its newest system.
package struct ExploredScenario: Sendable {
  @Boxed package private(set) var scenario: Scenario
  package private(set) var counts = ExplorationCounts()
  /// The events that were injected first in a trace.
  package private(set) var tried: Set<InjectedEvent> = []
  /// The smallest traces with a finding, one for each cause.
  package private(set) var counterexamples: [Counterexample] = []
  /// The reason why the scenario was not explored; nil if it was.
  package private(set) var obstacle: String?
  /// True if the obstacle is a failure and not a choice, or if a trace stopped early.
  package private(set) var hasFailed = false
  /// The reason why the exploration, or a trace of it, stopped early; nil if none did.
  package private(set) var earlyStop: String?
  /// The losses that the scenario rules out in `updatesKeep`, though nothing in it depends on them.
  package private(set) var unneededLosses: Set<UpdateLoss> = []
  /// The failure of the machine or the run that ended the exploration or a trace; nil for none.
  package private(set) var machineFault: String?

  package var isWrong: Bool { counterexamples.contains { $0.finding.severity == .error } }
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
      guard let failure = await stage.failure(of: scenario, variant) else { continue }
      return fail("it fails without any injected event, under \(variant): \(failure)")
    }
    if let first = scenario.exploration.firstStep, first > scenario.steps.count {
      return fail(
        "its 'explore' starts at step \(first), but the scenario has "
          + "\(scenario.steps.count.counted("step")); name one of them in 'from'")
    }
    let startRunsCode = stage.runner?.startRunsCode(of: scenario) == true
    guard let plan = Plan(scenario, startRunsCode: startRunsCode) else {
      obstacle =
        "it was not read from a file, and only scenarios from files can be explored; write it as a "
        + ".json5 file"
      return
    }
    var search = Explorer(plan, bounds, on: stage)
    for variant in variants where search.counts.isComplete {
      do {
        try await search.explore(from: try stage.run(scenario, variant))
      } catch {
        if (error as? Transcript.Failure)?.outcome.isOfRun == true { machineFault = "\(error)" }
        return fail("it stops early: \(error)")
      }
      (counts, tried) = (search.counts, search.tried)
      counts.hasUnseenStart = stage.runner?.lacksLaunch(of: scenario) == true
      if let error = search.earlyStop {
        hasFailed = true
        earlyStop = "one of the runs with injected events stopped early at \(error)"
        if error.outcome.isOfRun { machineFault = "\(error)" }
      }
    }
    await report(search, plan, stage)
    if let failure = search.replayFailure { fail(failure) }
  }

  /// Marks the exploration as stopped early, because the machine refused something after the search.
  package mutating func stopEarly(_ reason: String) {
    hasFailed = true
    earlyStop = earlyStop ?? reason
  }

  package mutating func setUnneededLosses(_ losses: Set<UpdateLoss>) { unneededLosses = losses }

  private mutating func fail(_ reason: String) {
    hasFailed = true
    obstacle = reason
  }

  private mutating func report(
    _ search: Explorer, _ plan: Plan, _ stage: ExplorationStage
  ) async {
    var keys: Set<FindingKey> = []
    let causes = search.discoveries.filter { keys.insert($0.key).inserted }
      .grouped { $0.cause(in: plan) }
    for alike in causes {
      let events = alike.reduce(into: Set<InjectedEvent>()) { events, discovery in
        events.formUnion(search.causes[discovery.key] ?? [])
      }
      counterexamples.append(
        await Counterexample(alike[0], after: events, otherItems: alike.count - 1, plan, stage))
    }
    counterexamples = counterexamples.enumerated().sorted {
      ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset)
    }.map(\.element)
  }
}

extension Discovery {
  /// Returns the likely cause: findings with equal causes break the same rule, or lack the same mark, on items of one
  /// directory, by events in one action. An error never has the cause of a warning.
  fileprivate func cause(in plan: Plan) -> Cause {
    let directory = finding.path?.parent.map { NameForm.withoutRandomParts("\($0)") }
    let block = injected.last.map { plan.block(ofStep: $0.step) }
    let action = injected.last?.crashPoint == nil ? nil : block.flatMap(plan.action(ofBlock:))
    return Cause(
      mistake: finding.missingMark.isEmpty ? .rule(finding.rule) : .missingMark,
      severity: finding.severity, place: directory ?? finding.step.summary, action: action,
      block: action == nil ? block : nil)
  }

  fileprivate struct Cause: Hashable {
    let mistake: Mistake
    let severity: Scenario.Severity
    let place: String
    let action: String?
    let block: Int?

    enum Mistake: Hashable {
      case rule(String)
      case missingMark
    }
  }
}

/// The smallest trace that shows a finding, as a scenario file to commit.
package struct Counterexample: Sendable {
  private let shrinker: Shrinker
  private let pieces: [Shrinker.Removable]
  package let finding: Scenario.Finding
  package let reproduction: Reproduction
  /// The events that each lead to this finding.
  package let events: Set<InjectedEvent>
  package let otherItems: Int
  /// The app's changes after the last event, up to the change of the lost item.
  package let aftermath: [LaterChanges]

  package enum Reproduction: Hashable, Sendable {
    case shown
    /// Only a comparison with the run without the events shows the finding.
    case compared
    case notShown
    case unchecked(String)
  }

  fileprivate init(
    _ discovery: Discovery, after events: Set<InjectedEvent>, otherItems: Int, _ plan: Plan,
    _ stage: ExplorationStage
  ) async {
    self.shrinker = Shrinker(plan: plan, stage: stage, discovery: discovery)
    (self.events, self.otherItems) = (events, otherItems)
    (pieces, finding, reproduction) = await shrinker.smallest()
    self.aftermath = await shrinker.aftermath(of: pieces, takingItemOf: finding)
  }

  /// The rank in the report: the user's losses that a scenario shows, then other errors, then warnings.
  fileprivate var rank: Int {
    let isLoss = RuleList.losses.contains(finding.rule) && reproduction == .shown
    return finding.severity == .error ? (isLoss ? 0 : 1) : 2
  }

  package var text: String { shrinker.text(of: pieces) }
  package var stepCount: Int { shrinker.scenario(of: pieces).steps.count }
  package var formerStepCount: Int { shrinker.plan.scenario.steps.count }
  package var injected: [InjectedEvent] { shrinker.discovery.injected }
  package var changes: [Scenario.KillPoint] { shrinker.discovery.changes }
  package var discovery: Discovery { shrinker.discovery }

  /// The token by which `--replay` repeats the trace.
  package var token: String { injected.token(in: shrinker.plan.scenario) }

  package var step: Scenario.StepReference {
    let steps = shrinker.plan.steps
    let first = steps.first { $0.number == injected.first?.step }
    return (first ?? steps.last)?.reference ?? finding.step
  }
}

/// The changes that a start or a step of the app makes after an event.
package struct LaterChanges: Sendable {
  /// `the next start`, or the step in words.
  package let activity: String
  package internal(set) var changes: [FileTree.Change]
}

/// A trace that a failed step ended before the plan's end.
package struct StoppedTrace: Hashable, Sendable {
  package let step: Scenario.StepReference
  /// The events that were injected before the failure.
  package let injected: [InjectedEvent]
  package let reason: String
  /// True if a finding reports the failure.
  package let isReported: Bool
}

package struct ExplorationCounts: Hashable, Sendable {
  /// The limit that ended the search.
  package enum Shortfall: CaseIterable, Hashable, Sendable {
    case budget
    case time
    case bytes
    case memory
    case cancellation
  }

  /// A reason why a search that was not ended has left something out.
  package enum Gap: CaseIterable, Hashable, Sendable {
    case stopped
    case unrepeated
    case unseen
    case unlike
  }

  /// The number of the first step before which events are injected; nil if that is the scenario's first.
  package internal(set) var firstStep: Int?
  /// The points between atomic blocks, at which the system can act.
  package internal(set) var quiescentPoints = 0
  /// The points within atomic blocks, at which the app can be killed.
  package internal(set) var crashPoints = 0
  package internal(set) var traces = 0
  /// The traces that a failed step ended before the plan's end.
  package internal(set) var stopped: [StoppedTrace] = []
  /// The reasons why traces could not be repeated up to their kill or full storage.
  package internal(set) var unrepeated: [String] = []
  /// The numbers of the steps of the app's own code whose changes the kit did not all see.
  package internal(set) var unseenSteps: Set<Int> = []
  /// The numbers of the steps of the app's own code that changed their files in another order when they were repeated.
  package internal(set) var unlikeSteps: Set<Int> = []
  /// True if the app's own code runs in the scenario, but neither the scenario nor the app has a `launch`.
  package internal(set) var hasUnseenStart = false
  package internal(set) var shortfall: Shortfall?
  /// The bytes that the saved copies of the container take, that the recordings take, and that each of them may take.
  package internal(set) var (savedBytes, recordedBytes, mostBytes) = (0, 0, 0)

  package var isComplete: Bool { shortfall == nil }

  /// True if all traces came to their ends and were judged.
  package var isWhole: Bool { isComplete && gaps.isEmpty }

  package var gaps: [Gap] { Gap.allCases.filter { count(of: $0) > 0 } }

  /// Returns the number of traces or steps that a gap concerns.
  package func count(of gap: Gap) -> Int {
    switch gap {
    case .stopped: stopped.count
    case .unrepeated: unrepeated.count
    case .unseen: unseenSteps.count
    case .unlike: unlikeSteps.count
    }
  }
}
