import BackupContainer
import BackupFileTree
import BackupRules
import BackupScenarios

/// A search for a smaller trace that shows the same finding, if the same trace without its injected events does not.
struct Shrinker: Sendable {
  /// A piece of a scenario that can be left out: a step of `launch`, a pattern of `files` or a transition, by its
  /// index.
  enum Removable: Hashable {
    case launch(Int)
    case promise(Int)
    case transition(Int, Transition)
    /// An assertion at the end that a file is as in a backup before the transition with an index.
    case unchanged(ContainerPath, since: Int)
  }

  let plan: Plan
  let stage: ExplorationStage
  let discovery: Discovery

  /// Returns the smallest trace with its finding, and the result of running it as a scenario of its own.
  func smallest() async -> (
    pieces: [Removable], finding: Scenario.Finding, reproduction: Counterexample.Reproduction
  ) {
    let launch = plan.scenario.launch.indices.map(Removable.launch)
    let promises = (plan.scenario.files?.promises ?? []).indices.map(Removable.promise)
    let whole =
      launch + promises
      + discovery.transitions.enumerated().map { Removable.transition($0, $1) }
    guard var found = await finding(in: whole) else {
      do {
        let shown = try await stage.findingsWithFailure(of: scenario(of: whole), discovery.variant)
        return (whole, discovery.finding, shown.contains(where: isDiscovered) ? .shown : .notShown)
      } catch {
        return (whole, discovery.finding, .unchecked("\(error)"))
      }
    }
    let needed = neededRetry
    var smallest = whole
    var size = max(1, whole.count / 2)
    while true {
      var isSmaller = false
      var end = smallest.count
      while end > 0 {
        let range = max(0, end - size)..<end
        let trial = smallest.enumerated().compactMap { index, piece in
          range.contains(index) && !needed.contains(piece) ? nil : piece
        }
        if trial.count < smallest.count, let finding = await finding(in: trial) {
          (smallest, found, isSmaller) = (trial, finding, true)
        }
        end = range.lowerBound
      }
      guard isSmaller || size > 1 else {
        if found.shown != .byComparison { return (smallest, found, .shown) }
        let asserting = await withAssertion(smallest, on: found)
        return (asserting ?? smallest, found, asserting == nil ? .compared : .shown)
      }
      if !isSmaller { size /= 2 }
    }
  }

  /// Returns a trace with an assertion that fails, and that would pass without the events; nil if the lost file also
  /// changes without them.
  private func withAssertion(
    _ pieces: [Removable], on finding: Scenario.Finding
  ) async -> [Removable]? {
    let places = pieces.compactMap { piece -> Int? in
      switch piece {
      case .transition(let place, .event), .transition(let place, .killed): place
      default: nil
      }
    }
    guard let path = finding.path, let place = places.first else { return nil }
    let asserting = pieces + [.unchanged(path, since: place)]
    func passes(_ pieces: [Removable]) async -> Bool? {
      let run = try? await stage.transcript(of: scenario(of: pieces), discovery.variant)
      return run.map { $0.1 == nil }
    }
    guard await passes(asserting) == false, await passes(withoutEvents(asserting)) == true else {
      return nil
    }
    return asserting
  }

  /// The steps of the retry. Without them, a finding might be gone after the user tries again.
  private var neededRetry: Set<Removable> {
    guard !RuleList.losses.contains(discovery.finding.rule) else { return [] }
    var needed: Set<Removable> = []
    var repeated: Range<Int> = 0..<0
    for (place, transition) in discovery.transitions.enumerated() {
      switch transition {
      case .killed(let index, _):
        repeated = plan.blocks.first { $0.stepIndices.contains(index) }?.stepIndices ?? repeated
      case .step(let index) where repeated.contains(index):
        needed.insert(.transition(place, transition))
        repeated = index + 1..<repeated.upperBound
      default: break
      }
    }
    return needed
  }

  /// Returns the finding of a smaller trace; nil if the trace also shows it without the injected events, or without the
  /// interrupted action that is never retried.
  private func finding(in pieces: [Removable]) async -> Scenario.Finding? {
    let undisturbed = withoutEvents(pieces)
    guard undisturbed != pieces else { return nil }
    do {
      if discovery.finding.shown == .byComparison {
        return try await stage.losses(
          in: scenario(of: pieces), until: disturbedStepCount(of: pieces),
          comparedWith: scenario(of: undisturbed), discovery.variant
        ).first(where: isDiscovered)
      }
      guard let finding = try await finding(of: scenario(of: pieces)),
        try await self.finding(of: withBackups(scenario(of: undisturbed))) == nil
      else { return nil }
      guard discovery.injected.last?.recovery == .skip else { return finding }
      let unkilled = pieces.filter { if case .transition(_, .killed) = $0 { false } else { true } }
      return try await self.finding(of: scenario(of: unkilled)) == nil ? finding : nil
    } catch {
      // A trace that cannot be run shows nothing, so a larger one remains.
      return nil
    }
  }

  /// Returns the number of steps up to the end of the last event.
  private func disturbedStepCount(of pieces: [Removable]) -> Int {
    var (count, last) = (0, 0)
    for case .transition(_, let transition) in pieces {
      count += plan.steps(of: transition, before: plan.blocks.count).count
      switch transition {
      case .event, .killed: last = count
      case .step, .backup: break
      }
    }
    return last
  }

  /// Returns the changes after the last event, up to the change of the lost item; empty if there is none.
  func aftermath(
    of pieces: [Removable], takingItemOf finding: Scenario.Finding
  ) async -> [LaterChanges] {
    guard RuleList.losses.contains(finding.rule), let path = finding.path,
      let transcript = try? await stage.transcript(of: scenario(of: pieces), discovery.variant).0
    else { return [] }
    let entries = transcript.entries
    let count = disturbedStepCount(of: pieces)
    let event = entries.lastIndex { entry in
      guard case .step(...count) = entry.step.number else { return false }
      return switch entry.event {
      case .killed, .launch: true
      default: entry.event.isBySystem
      }
    }
    var later: [LaterChanges] = []
    for entry in entries[(event.map { $0 + 1 } ?? entries.count)...] {
      guard case .changes(let changes) = entry.event, !changes.isEmpty else { continue }
      let activity = entry.isOfStart ? "the next start" : entry.step.summary
      if later.last?.activity != activity {
        later.append(LaterChanges(activity: activity, changes: []))
      }
      let calls = transcript.calls.filter { $0.step == entry.step }
      // The changes by code have no order, but its calls do.
      let order = changes.map { change in
        calls.lastIndex { $0.call.path == change.path } ?? calls.count
      }
      let ordered = zip(order, changes).enumerated().sorted {
        ($0.element.0, $0.offset) < ($1.element.0, $1.offset)
      }
      later[later.count - 1].changes += ordered.map(\.element.1)
    }
    let last = later.lastIndex { later in
      later.changes.flatMap(\.touchedPaths).contains { $0 == path || $0.isAncestor(of: path) }
    }
    // If no change names the item, a start may have removed the item from which it was to be created.
    let removal = later.firstIndex { later in
      later.changes.contains { if case .removed = $0 { true } else { false } }
    }
    return (last ?? removal).map { Array(later[...$0]) } ?? []
  }

  private func finding(of scenario: Scenario) async throws -> Scenario.Finding? {
    try await stage.findingsWithFailure(of: scenario, discovery.variant).first(where: isDiscovered)
  }

  private func isDiscovered(_ finding: Scenario.Finding) -> Bool {
    FindingKey(finding) == FindingKey(discovery.finding)
  }

  /// Returns the trace without injected events: each block is performed once, to its end.
  private func withoutEvents(_ pieces: [Removable]) -> [Removable] {
    var undisturbed: [Removable] = []
    for piece in pieces {
      switch piece {
      case .transition(_, .event): break
      case .transition(let place, .killed(let index, _)):
        // A step that must fail changes nothing, but whether it fails depends on earlier events.
        let step = plan.steps[index]
        if step.runsCode || !step.mustFail { undisturbed.append(.transition(place, .step(index))) }
        let rest =
          plan.blocks.first { $0.stepIndices.contains(index) }?.stepIndices ?? index..<index
        let kept = Set(
          pieces.compactMap { piece in
            if case .transition(_, .step(let other)) = piece, other > index { other } else { nil }
          })
        undisturbed += rest.filter(kept.contains).map { .transition(place, .step($0)) }
      default: undisturbed.append(piece)
      }
    }
    return undisturbed
  }

  /// Returns a scenario with a backup after each of its blocks, as in the baseline.
  private func withBackups(_ scenario: Scenario) -> Scenario {
    let blocks = Plan.blocks(
      of: scenario.steps, in: scenario, startRunsCode: plan.startRunsCode)
    let steps = blocks.flatMap { block in
      scenario.steps[block.stepIndices]
        + Transition.backup.addedSteps(as: scenario.steps[scenario.steps.count - 1].reference)
    }
    return scenario.replacing(launch: scenario.launch, steps: steps, files: scenario.files)
  }

  func scenario(of pieces: [Removable]) -> Scenario {
    var (launch, promises): ([Scenario.Step], [Int]) = ([], [])
    var steps: [Scenario.Step] = []
    var backedUpPlace = pieces.lazy.compactMap { piece in
      if case .unchanged(_, since: let place) = piece { place } else { nil }
    }.first
    func add(_ action: StepAction) {
      guard let reference = plan.steps.last?.reference else { return }
      steps.append(Scenario.Step(action, inPlaceOf: reference).numbered(steps.count + 1))
    }
    for piece in pieces {
      switch piece {
      case .launch(let index): launch.append(plan.scenario.launch[index])
      case .promise(let index): promises.append(index)
      case .transition(let place, let transition):
        if let first = backedUpPlace, place >= first {
          add(.system(.backup(Self.label)))
          backedUpPlace = nil
        }
        for step in plan.steps(of: transition, before: plan.blocks.count) {
          steps.append(step.numbered(steps.count + 1))
        }
      case .unchanged(let path, since: _): add(.check(.file(path, .sameAs(Self.label))))
      }
    }
    return plan.scenario.replacing(
      launch: launch, steps: steps, files: plan.scenario.files?.keeping(promises))
  }

  /// The label of the backup that an assertion compares with.
  private static let label = "before"

  func text(of pieces: [Removable]) -> String {
    scenario(of: pieces).document(
      titled: "\(plan.scenario.title): \(discovery.injected.phraseWithoutPlaces)",
      under: discovery.variant)
  }
}
