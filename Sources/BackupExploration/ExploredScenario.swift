import BackupDiagnostics
import BackupFileTree
package import BackupRules
package import BackupScenarios

/// What came of exploring a scenario under its oldest and its newest system.
package struct ExploredScenario: Sendable {
  package let scenario: Scenario
  package private(set) var counts = ExplorationCounts()
  /// The smallest traces that go wrong, each cause once.
  package private(set) var counterexamples: [Counterexample] = []
  /// How many causes there are in each tier, also in those that are not reported.
  package private(set) var mistakes: [ExplorationBounds.Tier: Int] = [:]
  /// Whether momentary violations were told from those until retried.
  package private(set) var tellsTiersApart = true
  /// Why it was not explored; nil if it was.
  package private(set) var obstacle: String?
  /// Whether the obstacle, or what broke off, is a failure and not a choice.
  package private(set) var hasFailed = false
  package private(set) var trouble: String?

  package var isWrong: Bool { counterexamples.contains { $0.severity == .error } }
  package var isExplored: Bool { obstacle == nil }

  package init(
    _ scenario: Scenario, _ bounds: ExplorationBounds,
    on stage: ExplorationStage = ExplorationStage()
  ) async {
    self.scenario = scenario
    self.obstacle = stage.obstacle(to: scenario)
    if obstacle == nil { await explore(bounds, stage) }
  }

  private mutating func explore(_ bounds: ExplorationBounds, _ stage: ExplorationStage) async {
    let variants = scenario.exploredVariants
    for variant in variants {
      guard let failure = await stage.failure(of: scenario, variant) else { continue }
      return fail("it fails as it is written, under \(variant): \(failure)")
    }
    if let first = scenario.exploration.firstStep, first > scenario.steps.count {
      return fail(
        "its 'explore' begins at step \(first), but it has "
          + "\(scenario.steps.count.counted("step")); name one of them in 'from'")
    }
    guard let plan = Plan(scenario) else {
      obstacle = "the text of its steps is not known"
      return
    }
    var found: [(discovery: Discovery, variant: Scenario.Variant)] = []
    var isReplayed = false
    var otherEvent: InjectedEvent?
    for variant in variants {
      let explorer: Explorer
      do {
        let run = try stage.run(scenario, variant)
        var search = Explorer(plan, run, bounds, after: counts)
        try await search.explore()
        explorer = search
      } catch {
        return fail("it breaks off: \(error)")
      }
      isReplayed = isReplayed || explorer.isReplayed
      otherEvent = otherEvent ?? explorer.otherEvent
      if let error = explorer.trouble {
        hasFailed = true
        trouble = "a trace of it broke off at \(error)"
      }
      counts = explorer.counts
      tellsTiersApart = tellsTiersApart && explorer.tellsTiersApart
      found += explorer.discoveries.map { ($0, variant) }
      guard counts.isComplete else { break }
    }
    await report(found, plan, bounds, stage)
    if bounds.replayed != nil, !isReplayed {
      let other = otherEvent.map { "; at that point it is now '\($0)'" } ?? ""
      fail("the story has no such point any more\(other). Explore it again")
    }
  }

  private mutating func fail(_ reason: String) {
    hasFailed = true
    obstacle = reason
  }

  /// Reports each cause once, in the worst of its tiers.
  private mutating func report(
    _ found: [(discovery: Discovery, variant: Scenario.Variant)], _ plan: Plan,
    _ bounds: ExplorationBounds, _ stage: ExplorationStage
  ) async {
    var keys: Set<FindingKey> = []
    for tier in ExplorationBounds.Tier.allCases {
      var places: [Discovery.Cause: Int] = [:]
      var causes: [(first: (discovery: Discovery, variant: Scenario.Variant), count: Int)] = []
      for one in found where one.discovery.tier == tier {
        guard keys.insert(one.discovery.key).inserted else { continue }
        let cause = one.discovery.cause(in: plan)
        if let place = places[cause] {
          causes[place].count += 1
        } else {
          places[cause] = causes.count
          causes.append((one, 1))
        }
      }
      if !causes.isEmpty { mistakes[tier] = causes.count }
      guard tier <= bounds.tier else { continue }
      for cause in causes {
        counterexamples.append(
          await Counterexample(
            cause.first.discovery, andMore: cause.count - 1, plan, stage, cause.first.variant))
      }
    }
  }
}

extension Discovery {
  /// What is likely to be put right by one change: the same rule, or the same missing mark, on items of
  /// one directory, by events in one block.
  struct Cause: Hashable {
    fileprivate let rule: String
    fileprivate let directory: String
    fileprivate let block: Int?
  }

  func cause(in plan: Plan) -> Cause {
    let directory = finding.path?.parent.map { NameForm.withoutRandomParts("\($0)") }
    return Cause(
      rule: finding.missingMark.isEmpty ? finding.rule : "a missing mark",
      directory: directory ?? finding.step.summary,
      block: injected.last.map { plan.block(ofStep: $0.step) })
  }
}

extension Scenario {
  /// The variants that are explored: under the oldest and the newest system.
  fileprivate var exploredVariants: [Variant] {
    let named = Set([systems.min(), systems.max()].compactMap(\.self)).sorted()
    return named.compactMap { system in variants.first { $0.system == system } }
  }
}

/// The smallest trace that shows a finding, as a scenario file to commit.
package struct Counterexample: Sendable {
  private let discovery: Discovery
  package let finding: Scenario.Finding
  /// How many further items show the same.
  package let otherCount: Int
  /// What `--replay` follows it by.
  package let token: String
  package let reproduction: Reproduction
  package let text: String
  package let stepCount: Int
  package let formerStepCount: Int
  /// The step that a report shows it at.
  package let step: Scenario.StepReference

  package enum Reproduction: Hashable, Sendable {
    case shown
    case notShown
    case unchecked(String)
  }

  fileprivate init(
    _ discovery: Discovery, andMore otherCount: Int, _ plan: Plan, _ stage: ExplorationStage,
    _ variant: Scenario.Variant
  ) async {
    let shrinker = Shrinker(plan: plan, stage: stage, variant: variant, discovery: discovery)
    let smallest = await shrinker.smallest()
    self.discovery = discovery
    self.finding = smallest.finding
    self.otherCount = otherCount
    self.token =
      "\(plan.scenario.id):\(discovery.injected.map(\.description).joined(separator: "+"))"
    self.reproduction = smallest.reproduction
    self.text = shrinker.text(of: smallest.pieces)
    self.stepCount = shrinker.stepCount(of: smallest.pieces)
    self.formerStepCount = plan.scenario.steps.count
    let first = plan.steps.first { $0.number == discovery.injected.first?.step }
    self.step = first?.reference ?? plan.steps.last?.reference ?? finding.step
  }

  package var tier: ExplorationBounds.Tier { discovery.tier }
  package var injected: [InjectedEvent] { discovery.injected }
  /// All changes of the step in which the app was killed, if it ran code of its own.
  package var changes: [Scenario.KillPoint] { discovery.changes }

  package var severity: Scenario.Severity {
    switch tier {
    case .permanent: finding.severity
    case .untilRetried: .warning
    case .momentary: .advice
    }
  }

  package var rule: String {
    switch tier {
    case .permanent: finding.rule
    case .untilRetried: "unmarked-when-interrupted"
    case .momentary: "unmarked-for-a-moment"
    }
  }

  /// How many changes came before the app was killed; nil if it was not, or they were not recorded.
  package var changesBeforeKill: Int? {
    guard !changes.isEmpty else { return nil }
    return injected.reversed().lazy.compactMap { event -> Int? in
      if case .within(let change, _, _) = event.point { change - 1 } else { nil }
    }.first
  }
}
