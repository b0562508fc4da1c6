import BackupDevice
import BackupDiagnostics
package import BackupExploration
import BackupFileTree
import BackupRules
package import BackupScenarios

extension UpdateLoss {
  /// The standard simulators, except that each update of the app causes the loss.
  var simulators: Simulators {
    var simulators = Simulators.standard
    let standardUpdate = simulators.update
    simulators.update = { tree, simulator, keptPaths, lostPatterns in
      applied(to: standardUpdate(tree, simulator, keptPaths, lostPatterns))
    }
    return simulators
  }

  /// Returns a tree after the loss.
  private func applied(to tree: FileTree) -> FileTree {
    var treeAfterLoss = tree
    switch self {
    case .marks: treeAfterLoss = tree.unmarked
    case .groups, .extensions:
      for containerName in tree.containerNames.compactMap(\.self)
      where containerName.isGroup == (self == .groups) {
        treeAfterLoss.remove(ContainerPath(containerName))
      }
      treeAfterLoss.makeContainers(besideAppIn: tree)
    }
    return treeAfterLoss
  }

  var phrase: String {
    switch self {
    case .marks: "the exclusion marks"
    case .groups: "the contents of its groups' containers"
    case .extensions: "the contents of its extensions' containers"
    }
  }

  fileprivate var advice: String {
    switch self {
    case .marks: "set the marks again at each launch"
    case .groups:
      "also keep files that cannot be created or downloaded again in the app's own container"
    case .extensions:
      "keep files that cannot be created or downloaded again in the app's own container, or in "
        + "a group's"
    }
  }

  /// Returns true if the scenario's app has something that the loss can remove.
  fileprivate func isPossible(in scenario: Scenario) -> Bool {
    switch self {
    case .marks: true
    case .groups: !scenario.app.groups.isEmpty
    case .extensions: !scenario.app.extensions.isEmpty
    }
  }
}

/// A problem that occurs only if an update of the app loses something, such as marks.
///
/// No source says whether updates keep these things.
package struct UpdateLossProblem: Sendable {
  /// An app and a loss. Explorations give the same advice only once for each pair.
  package struct Key: Hashable, Sendable {
    package let bundleIdentifier: String
    package let loss: UpdateLoss

    package init(bundleIdentifier: String, loss: UpdateLoss) {
      self.bundleIdentifier = bundleIdentifier
      self.loss = loss
    }
  }

  package let key: Key
  /// The id of a scenario that shows the problem.
  package let scenarioID: String
  /// The first finding in this scenario, as a sentence.
  package let firstFindingSentence: String

  /// A failure that the app did not cause, for example a lack of memory or a cancelled test.
  private struct Fault: Error {
    let description: String
  }

  /// Tries each loss in an explored scenario, and returns the problems.
  ///
  /// Returns no problem for a loss that is in `known` or in the scenario's `updatesKeep`, but tries
  /// the losses in `updatesKeep` too. Records in `exploredScenario` which of these entries are
  /// unnecessary, and any fault of the machine.
  package static func all(
    in exploredScenario: inout ExploredScenario, _ bounds: Scenario.ExplorationBounds,
    on stage: ExplorationStage,
    skipping known: Set<Key> = []
  ) async -> [UpdateLossProblem] {
    let scenario = exploredScenario.scenario
    let updatesKeep = scenario.exploration.partsKeptByUpdates
    let keys = UpdateLoss.allCases.filter { $0.isPossible(in: scenario) }
      .map { Key(bundleIdentifier: scenario.app.bundleIdentifier, loss: $0) }
      .filter { updatesKeep.contains($0.loss) || !known.contains($0) }
    guard exploredScenario.isExplored, bounds.replayToken == nil else { return [] }
    guard !keys.isEmpty, !scenario.exploration.excludedEvents.contains(.updateApp) else {
      exploredScenario.setUnneededUpdatesKeep(updatesKeep)
      return []
    }
    var updateLossProblems: [UpdateLossProblem] = []
    var unneededKeeps = updatesKeep
    do throws(Fault) {
      // If the app is wrong even without a loss, the user must correct this first.
      guard let mistakesWithoutLoss = try await mistakes(in: scenario, bounds, on: stage),
        mistakesWithoutLoss.isEmpty
      else {
        return []
      }
      for key in keys {
        var stage = stage
        stage.simulators = key.loss.simulators
        let mistakes = try await mistakes(in: scenario, bounds, on: stage)
        if mistakes?.isEmpty != true { unneededKeeps.remove(key.loss) }
        guard let firstMistake = mistakes?.first, !updatesKeep.contains(key.loss)
        else { continue }
        updateLossProblems.append(
          UpdateLossProblem(key: key, scenarioID: scenario.id, firstFindingSentence: firstMistake))
      }
      exploredScenario.setUnneededUpdatesKeep(unneededKeeps)
    } catch {
      guard !Task.isCancelled else { return updateLossProblems }
      exploredScenario.stopEarly(
        "updates that lose something could not be tried: \(error.description)")
    }
    return updateLossProblems
  }

  /// Returns errors and warnings, as sentences: those of a run with the scenario's own updates of
  /// the app, and those that exploration finds by adding an update at each point.
  ///
  /// Returns nil if the kit could not try all updates.
  private static func mistakes(
    in scenario: Scenario, _ bounds: Scenario.ExplorationBounds, on stage: ExplorationStage
  ) async throws(Fault) -> [String]? {
    var (scenario, bounds, stage) = (scenario, bounds, stage)
    var mistakes: [String] = []
    if scenario.steps.contains(where: \.updatesApp), let variant = scenario.variants.last {
      do {
        let findings = try await stage.findings(of: scenario, variant)
        mistakes = findings.filter { $0.severity <= .warning }.map(\.sentence)
      } catch {
        guard (error as? Transcript.Failure)?.outcome.hasCauseOutsideApp == true else { return nil }
        throw Fault(description: "\(error)")
      }
    }
    scenario.exploration.excludedEvents = Set(Scenario.InjectableEvent.allCases).subtracting([
      .updateApp
    ])
    (bounds.depth, stage.hasPassedWithoutEvents) = (1, true)
    bounds.duration /= 4
    let exploredScenario = await ExploredScenario(scenario, bounds, on: stage)
    if let fault = exploredScenario.machineFault { throw Fault(description: fault) }
    guard exploredScenario.isExplored, exploredScenario.counts.isWithinLimits else { return nil }
    return mistakes + exploredScenario.counterexamples.map(\.sentence)
  }

  /// The assumption that no source confirms, the problem if it is wrong, and the advice.
  package var text: String {
    """
    advice (unverified): \(key.bundleIdentifier.escapedExcerpt): no source says that an update of the app keeps \
    \(key.loss.phrase). If it does not, scenario \(scenarioID.escapedExcerpt) fails: \(firstFindingSentence)
      do: \(key.loss.advice); or if the app relies on it, add explore: { updatesKeep: \
    "\(key.loss.rawValue)", reason: "…" } to a scenario file that shows this

    """
  }
}
