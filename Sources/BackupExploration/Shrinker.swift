import BackupContainer
import BackupFileTree
import BackupRules
import BackupScenarios

/// A search for the smallest trace that shows a finding.
///
/// The shrinker leaves out pieces of the trace. The remaining trace must still show the finding,
/// but only with the injected events.
struct Shrinker: Sendable {
  /// A piece of a trace that the shrinker may leave out.
  enum TracePiece: Hashable {
    /// A step of the scenario's `launch`, by its index.
    case launch(Int)
    /// A pattern of the scenario's `files`, by its index.
    case promise(Int)
    /// A transition of the trace, with its index.
    case transition(Int, Transition)
    /// An assertion at the end: a file is the same as in a backup before the transition with this
    /// index.
    case unchanged(ContainerPath, since: Int)
  }

  let plan: Plan
  let stage: ExplorationStage
  let discovery: Discovery

  /// Returns the pieces of the smallest trace, the finding that it shows, and the result of running
  /// these pieces as a scenario.
  func smallestTrace() async -> (
    pieces: [TracePiece], finding: Scenario.Finding, reproduction: Counterexample.Reproduction
  ) {
    let launchPieces = plan.scenario.launch.indices.map(TracePiece.launch)
    let promisePieces = (plan.scenario.files?.promises ?? []).indices.map(TracePiece.promise)
    let allPieces =
      launchPieces + promisePieces
      + discovery.transitions.enumerated().map { TracePiece.transition($0, $1) }
    guard var smallestFinding = await finding(in: allPieces) else {
      do {
        let findings = try await stage.findingsWithFailure(
          of: scenario(of: allPieces), discovery.variant)
        let showsFinding = findings.contains(where: isSameFinding)
        return (allPieces, discovery.finding, showsFinding ? .shown : .notShown)
      } catch {
        return (allPieces, discovery.finding, .notRunnable("\(error)"))
      }
    }
    let piecesToKeep = retryPieces
    var smallestPieces = allPieces
    var chunkSize = max(1, allPieces.count / 2)
    while true {
      var hasShrunk = false
      var chunkEnd = smallestPieces.count
      while chunkEnd > 0 {
        let chunk = max(0, chunkEnd - chunkSize)..<chunkEnd
        let candidatePieces = smallestPieces.enumerated().compactMap { index, piece in
          chunk.contains(index) && !piecesToKeep.contains(piece) ? nil : piece
        }
        if candidatePieces.count < smallestPieces.count,
          let finding = await finding(in: candidatePieces)
        {
          (smallestPieces, smallestFinding, hasShrunk) = (candidatePieces, finding, true)
        }
        chunkEnd = chunk.lowerBound
      }
      guard hasShrunk || chunkSize > 1 else {
        if smallestFinding.detection != .byComparison {
          return (smallestPieces, smallestFinding, .shown)
        }
        let piecesWithAssertion = await withAssertion(smallestPieces, on: smallestFinding)
        return (
          piecesWithAssertion ?? smallestPieces, smallestFinding,
          piecesWithAssertion == nil ? .shownByComparison : .shown
        )
      }
      if !hasShrunk { chunkSize /= 2 }
    }
  }

  /// Adds an assertion that the lost file is the same as before the first event.
  ///
  /// Returns nil unless the assertion fails with the injected events and passes without them.
  private func withAssertion(
    _ pieces: [TracePiece], on finding: Scenario.Finding
  ) async -> [TracePiece]? {
    let eventIndices = pieces.compactMap { piece -> Int? in
      switch piece {
      case .transition(let index, .event), .transition(let index, .killed): index
      default: nil
      }
    }
    guard let path = finding.path, let firstEventIndex = eventIndices.first else { return nil }
    let piecesWithAssertion = pieces + [.unchanged(path, since: firstEventIndex)]
    func passes(_ pieces: [TracePiece]) async -> Bool? {
      let transcriptAndFailure = try? await stage.transcript(
        of: scenario(of: pieces), discovery.variant)
      return transcriptAndFailure.map { $0.1 == nil }
    }
    guard await passes(piecesWithAssertion) == false,
      await passes(withoutEvents(piecesWithAssertion)) == true
    else { return nil }
    return piecesWithAssertion
  }

  /// The steps that repeat the interrupted block. The smallest trace keeps them: a finding that
  /// disappears when the user tries again is no problem. For lost user data, the set is empty: such
  /// a loss is a problem even before a retry.
  private var retryPieces: Set<TracePiece> {
    guard !RuleList.lossRuleNames.contains(discovery.finding.rule) else { return [] }
    var piecesToKeep: Set<TracePiece> = []
    var indicesToRepeat: Range<Int> = 0..<0
    for (transitionIndex, transition) in discovery.transitions.enumerated() {
      switch transition {
      case .killed(let index, _):
        let block = plan.blocks.first { $0.stepIndices.contains(index) }
        indicesToRepeat = block?.stepIndices ?? indicesToRepeat
      case .step(let index) where indicesToRepeat.contains(index):
        piecesToKeep.insert(.transition(transitionIndex, transition))
        indicesToRepeat = index + 1..<indicesToRepeat.upperBound
      default: break
      }
    }
    return piecesToKeep
  }

  /// Returns the finding of a trace; nil if the trace does not show the finding, or also shows it
  /// without the injected events.
  ///
  /// If the trace never retries the interrupted action, the result is also nil if the finding
  /// occurs without this action.
  private func finding(in pieces: [TracePiece]) async -> Scenario.Finding? {
    let piecesWithoutEvents = withoutEvents(pieces)
    guard piecesWithoutEvents != pieces else { return nil }
    do {
      if discovery.finding.detection == .byComparison {
        return try await stage.losses(
          in: scenario(of: pieces), until: stepCountThroughLastEvent(of: pieces),
          comparedWith: scenario(of: piecesWithoutEvents), discovery.variant
        ).first(where: isSameFinding)
      }
      guard let finding = try await finding(of: scenario(of: pieces)),
        try await self.finding(of: withBackups(scenario(of: piecesWithoutEvents))) == nil
      else { return nil }
      guard discovery.injectedEvents.last?.recovery == .skip else { return finding }
      let piecesWithoutKill = pieces.filter {
        if case .transition(_, .killed) = $0 { false } else { true }
      }
      return try await self.finding(of: scenario(of: piecesWithoutKill)) == nil ? finding : nil
    } catch {
      // If the trace cannot be run, the shrinker keeps the larger trace.
      return nil
    }
  }

  /// Returns the number of steps from the beginning through the last event.
  private func stepCountThroughLastEvent(of pieces: [TracePiece]) -> Int {
    var (count, countThroughEvent) = (0, 0)
    for case .transition(_, let transition) in pieces {
      count += plan.steps(of: transition, before: plan.blocks.count).count
      switch transition {
      case .event, .killed: countThroughEvent = count
      case .step, .backup: break
      }
    }
    return countThroughEvent
  }

  /// Returns the app's changes after the last event, up to the start or step that lost the item of
  /// a finding. The result is empty if no change explains the loss.
  func changesAfterLastEvent(
    of pieces: [TracePiece], takingItemOf finding: Scenario.Finding
  ) async -> [LaterChanges] {
    guard RuleList.lossRuleNames.contains(finding.rule), let path = finding.path,
      let transcript = try? await stage.transcript(of: scenario(of: pieces), discovery.variant).0
    else { return [] }
    let entries = transcript.entries
    let lastEventStepNumber = stepCountThroughLastEvent(of: pieces)
    let lastEventIndex = entries.lastIndex { entry in
      guard case .step(...lastEventStepNumber) = entry.step.number else { return false }
      return switch entry.event {
      case .killed, .launch: true
      default: entry.event.isBySystem
      }
    }
    var laterChanges: [LaterChanges] = []
    for entry in entries[(lastEventIndex.map { $0 + 1 } ?? entries.count)...] {
      guard case .changes(let changes) = entry.event, !changes.isEmpty else { continue }
      let activity = entry.isOfStart ? "the next start" : entry.step.summary
      if laterChanges.last?.activity != activity {
        laterChanges.append(LaterChanges(activity: activity, changes: []))
      }
      let calls = transcript.changeCalls.filter { $0.step == entry.step }
      // The changes in an entry have no order, so they are sorted in the order of the calls that
      // made them.
      let callIndices = changes.map { change in
        calls.lastIndex { $0.changeCall.path == change.path } ?? calls.count
      }
      let sortedChanges = zip(callIndices, changes).enumerated().sorted {
        ($0.element.0, $0.offset) < ($1.element.0, $1.offset)
      }
      laterChanges[laterChanges.count - 1].changes += sortedChanges.map(\.element.1)
    }
    let lossIndex = laterChanges.lastIndex { activityChanges in
      activityChanges.changes.flatMap(\.touchedPaths).contains {
        $0 == path || $0.isAncestor(of: path)
      }
    }
    // If no change names the lost item, the app may have removed another item, from which it would
    // have created the lost item.
    let removalIndex = laterChanges.firstIndex { activityChanges in
      activityChanges.changes.contains { if case .removed = $0 { true } else { false } }
    }
    return (lossIndex ?? removalIndex).map { Array(laterChanges[...$0]) } ?? []
  }

  private func finding(of scenario: Scenario) async throws -> Scenario.Finding? {
    try await stage.findingsWithFailure(of: scenario, discovery.variant).first(where: isSameFinding)
  }

  private func isSameFinding(_ finding: Scenario.Finding) -> Bool {
    FindingKey(finding) == FindingKey(discovery.finding)
  }

  /// Returns the trace without injected events: each block is performed once, to its end.
  private func withoutEvents(_ pieces: [TracePiece]) -> [TracePiece] {
    var piecesWithoutEvents: [TracePiece] = []
    for piece in pieces {
      switch piece {
      case .transition(_, .event): break
      case .transition(let transitionIndex, .killed(let index, _)):
        // A simulated step that must fail is left out: it changes nothing, and perhaps does not
        // fail without the events.
        let step = plan.steps[index]
        if step.runsCode || !step.mustFail {
          piecesWithoutEvents.append(.transition(transitionIndex, .step(index)))
        }
        let stepIndicesOfBlock =
          plan.blocks.first { $0.stepIndices.contains(index) }?.stepIndices ?? index..<index
        let laterStepIndices = Set(
          pieces.compactMap { piece in
            if case .transition(_, .step(let laterIndex)) = piece, laterIndex > index {
              laterIndex
            } else {
              nil
            }
          })
        piecesWithoutEvents += stepIndicesOfBlock.filter(laterStepIndices.contains).map {
          .transition(transitionIndex, .step($0))
        }
      default: piecesWithoutEvents.append(piece)
      }
    }
    return piecesWithoutEvents
  }

  /// Returns a scenario with a backup after each of its blocks, as in the baseline of the search.
  private func withBackups(_ scenario: Scenario) -> Scenario {
    let blocks = Plan.blocks(
      of: scenario.steps, in: scenario, launchRunsCode: plan.launchRunsCode)
    let steps = blocks.flatMap { block in
      scenario.steps[block.stepIndices]
        + Transition.backup.addedSteps(
          inPlaceOf: scenario.steps[scenario.steps.count - 1].reference)
    }
    return scenario.replacing(launch: scenario.launch, steps: steps, files: scenario.files)
  }

  /// Returns the scenario that consists of these pieces.
  func scenario(of pieces: [TracePiece]) -> Scenario {
    var (launchSteps, promiseIndices): ([Scenario.Step], [Int]) = ([], [])
    var steps: [Scenario.Step] = []
    var backupIndex = pieces.lazy.compactMap { piece in
      if case .unchanged(_, since: let index) = piece { index } else { nil }
    }.first
    func add(_ action: StepAction) {
      guard let reference = plan.steps.last?.reference else { return }
      steps.append(Scenario.Step(action, inPlaceOf: reference).numbered(steps.count + 1))
    }
    for piece in pieces {
      switch piece {
      case .launch(let index): launchSteps.append(plan.scenario.launch[index])
      case .promise(let index): promiseIndices.append(index)
      case .transition(let index, let transition):
        if let transitionIndex = backupIndex, index >= transitionIndex {
          add(.system(.backup(Self.backupLabel)))
          backupIndex = nil
        }
        for step in plan.steps(of: transition, before: plan.blocks.count) {
          steps.append(step.numbered(steps.count + 1))
        }
      case .unchanged(let path, since: _): add(.check(.file(path, .sameAs(Self.backupLabel))))
      }
    }
    return plan.scenario.replacing(
      launch: launchSteps, steps: steps, files: plan.scenario.files?.keeping(promiseIndices))
  }

  /// The label of the backup that an assertion compares with.
  private static let backupLabel = "before"

  /// Returns the text of the scenario file that consists of these pieces.
  func text(of pieces: [TracePiece]) -> String {
    scenario(of: pieces).document(
      titled: "\(plan.scenario.title): \(discovery.injectedEvents.phraseWithoutSteps)",
      under: discovery.variant)
  }
}
