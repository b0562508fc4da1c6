import BackupJSON5
package import BackupRules
package import BackupScenarios

/// The smallest story of a mistake that only acts of the system bring to light.
package struct Counterexample: Sendable {
  /// What is wrong, at its step of ``text``.
  package let finding: Scenario.Finding
  /// How long it lasts.
  package let tier: ExplorationSettings.Tier
  /// What the system did.
  package let acts: [PlacedAct]
  /// What the system did and where, in short: `movies/download:2.kill(5~mark)`.
  package let token: String
  /// Whether ``text`` shows the mistake when it is run; else the whole story is in it.
  package let isReproduced: Bool
  /// The story as a scenario file.
  package let text: String
  /// What the app's own code changes in the activity in which it is killed, in order; none for
  /// simulated steps.
  package let changes: [Scenario.KillPoint]
  /// How many steps it has.
  package let stepCount: Int
  /// How many steps the scenario has.
  package let formerStepCount: Int
  /// The step of the scenario in which or before which the system first acts.
  package let step: Scenario.StepReference

  /// How bad it is.
  package var severity: Scenario.Severity {
    switch tier {
    case .lasting: finding.severity
    case .interrupted: .warning
    case .strict: .advice
    }
  }

  /// What reports call it: the broken rule, or how long an item is unmarked.
  package var rule: String {
    switch tier {
    case .lasting: finding.rule
    case .interrupted: "unmarked-when-interrupted"
    case .strict: "unmarked-for-a-moment"
    }
  }
}

extension Counterexample {
  /// The smallest story of a mistake.
  ///
  /// - Parameters:
  ///   - discovery: The mistake.
  ///   - teller: Tells the scenario's story.
  ///   - variant: The system and the backup kind that it was found under.
  init(_ discovery: Discovery, _ teller: StoryTeller, _ variant: Scenario.Variant) async {
    let scenario = teller.story.scenario
    let whole = StoryText(
      lines: scenario.optionalLines
        + discovery.elements.enumerated().map { StoryText.Line.element($0, $1) },
      title: "\(scenario.title): \(discovery.acts.inWords)")
    let shrinker = Shrinker(
      teller: teller, variant: variant, key: discovery.key, needed: discovery.repetitions(teller))
    let shrunk = await shrinker.smallest(of: whole)
    let (smallest, finding) = shrunk ?? (whole, discovery.finding)
    self.isReproduced = shrunk != nil
    self.finding = finding
    self.tier = discovery.tier
    self.acts = discovery.acts
    self.token = "\(scenario.id):\(discovery.acts.map(\.description).joined(separator: "+"))"
    self.text = smallest.text(teller, variant)
    self.changes = discovery.changes
    self.stepCount = smallest.stepCount(teller)
    self.formerStepCount = scenario.steps.count
    let first = teller.story.steps.first { step in
      discovery.acts.first.map { step.reference.number == .step($0.step) } ?? false
    }
    self.step = first?.reference ?? teller.story.steps.last?.reference ?? finding.step
  }
}

extension Discovery {
  /// What is done after a kill that a mistake of its tier outlasts: the activity's steps again, or the
  /// app's start; what the user has lost is lost before.
  fileprivate func repetitions(_ teller: StoryTeller) -> Set<StoryText.Line> {
    let isNeeded = tier == .lasting || tier == .interrupted && acts.last?.aftermath == .started
    guard isNeeded, key.rule != RuleList.tornSave else { return [] }
    var needed: Set<StoryText.Line> = []
    var repeated: Range<Int> = 0..<0
    for (place, element) in elements.enumerated() {
      switch element {
      case .killed(let index, _):
        repeated = teller.story.parts.first { $0.steps.contains(index) }?.steps ?? repeated
      case .step(let index) where repeated.contains(index):
        needed.insert(.element(place, element))
        repeated = index + 1..<repeated.upperBound
      case .act where tier == .interrupted && acts.last?.aftermath == .started:
        needed = [.element(place, element)]
      default: break
      }
    }
    return needed
  }
}

extension Scenario {
  /// What of its file, beside the steps, a smaller story may do without.
  fileprivate var optionalLines: [StoryText.Line] {
    let launches = source?["launch"]?.elements ?? []
    let promises = source?["files"]?.members ?? []
    return launches.indices.map(StoryText.Line.launch)
      + promises.indices.map(StoryText.Line.promise)
  }
}

extension Counterexample {
  /// How many of ``changes`` came before the kill; nil where the app is not killed within code of its
  /// own.
  package var changesBeforeKill: Int? {
    guard !changes.isEmpty else { return nil }
    return acts.reversed().lazy.compactMap { act -> Int? in
      if case .within(let change, _, _) = act.point { change - 1 } else { nil }
    }.first
  }
}

extension PlacedAct {
  /// What comes after it; nil for what is no kill.
  fileprivate var aftermath: Aftermath? {
    if case .within(_, _, then: let aftermath) = point { aftermath } else { nil }
  }
}

extension [PlacedAct] {
  /// What the system does, in words.
  package var inWords: String { map(\.inWords).joined(separator: ", then ") }
}

extension PlacedAct {
  /// What the system does, in words.
  package var inWords: String {
    switch point {
    case .before(let act): "\(act.inWords) before step \(step)"
    case .within(_, let point, then: let aftermath):
      "killed in step \(step), before it \(point.inPast)\(aftermath.inWords)"
    }
  }
}

extension PlacedAct.Aftermath {
  /// What comes after a kill, in words.
  fileprivate var inWords: String {
    switch self {
    case .doneAgain: ""
    case .started: ", and not done again"
    case .nothing: ", and nothing after it"
    }
  }
}

extension Scenario.ExploredAct {
  /// What the system does, in words.
  fileprivate var inWords: String {
    switch self {
    case .kill: "killed"
    case .relaunch: "relaunched"
    case .idle: "caches and tmp taken"
    case .lowStorage: "caches taken"
    case .criticalStorage: "caches and tmp taken for want of storage"
    case .updateApp: "updated"
    case .updateSystem: "the system updated"
    case .newDevice: "moved to a new device"
    }
  }
}
