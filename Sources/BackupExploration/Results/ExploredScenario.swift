import BackupDevice
import BackupDiagnostics
package import BackupScenarios

/// What came of exploring a scenario.
package struct ExploredScenario: Sendable {
  /// The scenario.
  package let scenario: Scenario
  /// The systems and backup kinds that it was explored under.
  package let variants: [Scenario.Variant]
  /// What was done.
  package private(set) var counts = ExplorationCounts()
  /// What is reported.
  package private(set) var counterexamples: [Counterexample] = []
  /// How many mistakes were found of each tier, reported or not.
  package private(set) var mistakes: [ExplorationSettings.Tier: Int] = [:]
  /// Whether those of the tier `strict` are told from those of the tier `interrupted`.
  package private(set) var tellsMomentsApart = true
  /// Whether the history that was to be replayed was followed.
  private var isReplayed = false
  /// What is now at its point.
  private var otherPoint: PlacedAct?
  /// Whether anything of it is an error.
  package var isWrong: Bool { counterexamples.contains { $0.severity == .error } }
  /// Why it was not explored; nil where it was.
  package private(set) var obstacle: String?
  /// Whether that is a failure: it could have been.
  package private(set) var hasFailed = false

  /// Why some of it was not: a history broke off for want of something that the machine lacks, or for
  /// a time limit; nil for nothing.
  package private(set) var trouble: String?

  /// Whether it was explored.
  package var isExplored: Bool { obstacle == nil }

  /// Lets the system act at every point of a scenario, under the oldest and the newest system that it
  /// names.
  ///
  /// - Parameters:
  ///   - scenario: The scenario.
  ///   - settings: How far, and what is reported.
  ///   - stage: Where its stories are told.
  package init(
    _ scenario: Scenario, _ settings: ExplorationSettings, on stage: StoryStage = StoryStage()
  ) async {
    self.scenario = scenario
    self.variants = scenario.exploredVariants
    self.obstacle =
      scenario.exploration.isWanted
      ? stage.obstacle(to: scenario) : "it says: \(scenario.exploration.reason)"
    guard obstacle == nil else { return }
    if let first = scenario.exploration.firstStep, first > scenario.steps.count {
      hasFailed = true
      obstacle =
        "its 'explore' begins at step \(first), but it has "
        + "\(scenario.steps.count.counted("step")); name one of them in 'from'"
      return
    }
    guard let teller = StoryTeller(Story(scenario), on: stage) else {
      obstacle = "nobody knows the text of its steps"
      return
    }
    var found: [Found] = []
    for variant in variants where obstacle == nil {
      await explore(teller, variant, settings, &found)
    }
    await report(found, teller, settings)
    guard obstacle == nil else { return }
    if settings.replayed != nil, !isReplayed {
      let other = otherPoint.map { "; at that point it is now '\($0)'" } ?? ""
      hasFailed = true
      obstacle = "the story has no such point any more\(other). Explore it anew"
    }
  }

  /// A mistake, and the system that it was found under.
  private struct Found {
    /// The mistake.
    let discovery: Discovery
    /// The system and the backup kind.
    let variant: Scenario.Variant
  }

  /// Explores under one system.
  private mutating func explore(
    _ teller: StoryTeller, _ variant: Scenario.Variant, _ settings: ExplorationSettings,
    _ found: inout [Found]
  ) async {
    let exploration: BackupExploration
    do {
      exploration = try await BackupExploration.explored(
        teller, try teller.stage.run(scenario, variant), settings)
    } catch let end as StoryEnd {
      hasFailed = true
      obstacle = "its story breaks off at \(end.step), \(end.step.summary): \(end.message)"
      return
    } catch {
      hasFailed = true
      obstacle = "\(error)"
      return
    }
    isReplayed = isReplayed || exploration.isReplayed
    otherPoint = otherPoint ?? exploration.otherPoint
    if let end = exploration.trouble {
      hasFailed = true
      trouble = "a history of it broke off at \(end.step), \(end.step.summary): \(end.message)"
    }
    counts.add(exploration.counts)
    tellsMomentsApart = tellsMomentsApart && exploration.tellsMomentsApart
    found += exploration.discoveries.map { Found(discovery: $0, variant: variant) }
  }

  /// Reports what was found under all systems.
  private mutating func report(
    _ found: [Found], _ teller: StoryTeller, _ settings: ExplorationSettings
  ) async {
    var keys: Set<Discovery.Key> = []
    var causes: Set<Discovery.Cause> = []
    // What lasts is found by the weaker tiers too; what one act brings about is one mistake, on however
    // many items.
    for tier in ExplorationSettings.Tier.allCases {
      for one in found where one.discovery.tier == tier {
        let discovery = one.discovery
        guard !keys.contains(discovery.key), causes.insert(discovery.cause).inserted else {
          continue
        }
        keys.insert(discovery.key)
        mistakes[tier, default: 0] += 1
        guard tier <= settings.tier else { continue }
        counterexamples.append(await Counterexample(discovery, teller, one.variant))
      }
    }
  }
}

extension Scenario {
  /// The oldest and the newest system that it names, each with its first kind of backup.
  fileprivate var exploredVariants: [Variant] {
    let named = Set([systems.min(), systems.max()].compactMap(\.self)).sorted()
    return named.compactMap { system in variants.first { $0.system == system } }
  }
}
