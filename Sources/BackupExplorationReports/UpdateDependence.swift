import BackupDevice
import BackupDiagnostics
package import BackupExploration
import BackupFileTree
import BackupRules
package import BackupScenarios

extension UpdateLoss {
  /// What the system does, with updates of the app that lose it.
  var simulators: Simulators {
    var simulators = Simulators.standard
    let update = simulators.update
    simulators.update = { tree, simulator, kept, lost in
      changing(update(tree, simulator, kept, lost))
    }
    return simulators
  }

  private func changing(_ tree: FileTree) -> FileTree {
    var changed = tree
    switch self {
    case .marks: changed = tree.unmarked
    case .groups, .extensions:
      for name in tree.containerNames.compactMap(\.self) where name.isGroup == (self == .groups) {
        changed.remove(ContainerPath(name))
      }
      changed.makeContainers(besideAppIn: tree)
    }
    return changed
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

  fileprivate func matters(in scenario: Scenario) -> Bool {
    switch self {
    case .marks: true
    case .groups: !scenario.app.groups.isEmpty
    case .extensions: !scenario.app.extensions.isEmpty
    }
  }
}

/// What goes wrong in an app only if its update loses something that no source says is kept.
package struct UpdateDependence: Sendable {
  /// The app and the loss, of which an exploration gives advice once.
  package struct Key: Hashable, Sendable {
    package let app: String
    package let loss: UpdateLoss

    package init(app: String, loss: UpdateLoss) {
      self.app = app
      self.loss = loss
    }
  }

  package let key: Key
  /// The scenario that shows it, and what goes wrong there.
  package let scenario: String
  package let example: String

  /// What the machine refused.
  private struct Fault: Error {
    let description: String
  }

  /// Returns the losses in updates that an explored scenario does not survive, without those in `known`
  /// or in the scenario's `updatesKeep`.
  ///
  /// An unnecessary entry of `updatesKeep`, or a fault of the machine, is noted in `explored`.
  package static func all(
    in explored: inout ExploredScenario, _ bounds: Scenario.ExplorationBounds,
    on stage: ExplorationStage,
    without known: Set<Key> = []
  ) async -> [UpdateDependence] {
    let scenario = explored.scenario
    let kept = scenario.exploration.updatesKeep
    let keys = UpdateLoss.allCases.filter { $0.matters(in: scenario) }
      .map { Key(app: scenario.app.bundleIdentifier, loss: $0) }
      .filter { kept.contains($0.loss) || !known.contains($0) }
    guard explored.isExplored, bounds.replayed == nil else { return [] }
    guard !keys.isEmpty, !scenario.exploration.without.contains(.updateApp) else {
      explored.noteUnneeded(kept)
      return []
    }
    var found: [UpdateDependence] = []
    var unshown = kept
    do throws(Fault) {
      // An app that goes wrong anyway is to be corrected first.
      guard let usual = try await mistakes(in: scenario, bounds, on: stage), usual.isEmpty else {
        return []
      }
      for key in keys {
        var stage = stage
        stage.simulators = key.loss.simulators
        let mistakes = try await mistakes(in: scenario, bounds, on: stage)
        if mistakes?.isEmpty != true { unshown.remove(key.loss) }
        guard let first = mistakes?.first, !kept.contains(key.loss) else { continue }
        found.append(UpdateDependence(key: key, scenario: scenario.id, example: first))
      }
      explored.noteUnneeded(unshown)
    } catch {
      guard !Task.isCancelled else { return found }
      explored.breakOff("updates that lose something could not be tried: \(error.description)")
    }
    return found
  }

  /// What goes wrong in a scenario with its own updates of the app, and with one more at each point;
  /// nil if not all could be tried.
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
        guard (error as? Transcript.Failure)?.outcome.isOfRun == true else { return nil }
        throw Fault(description: "\(error)")
      }
    }
    scenario.exploration.without = Set(Scenario.Disturbance.allCases).subtracting([.updateApp])
    (bounds.depth, stage.hasPassed) = (1, true)
    bounds.duration /= 4
    let explored = await ExploredScenario(scenario, bounds, on: stage)
    if let fault = explored.machineFault { throw Fault(description: fault) }
    guard explored.isExplored, explored.counts.isComplete else { return nil }
    return mistakes + explored.counterexamples.map(\.sentence)
  }

  /// What is not sure, what goes wrong then, and what to do.
  package var text: String {
    """
    advice (unverified): \(key.app.shown): no source says that an update of the app keeps \
    \(key.loss.phrase). If it does not, scenario \(scenario.shown) fails: \(example)
      do: \(key.loss.advice); or if the app relies on it, add explore: { updatesKeep: \
    "\(key.loss.rawValue)", reason: "…" } to a scenario file that shows this

    """
  }
}
