import BackupFileTree
import BackupRules
import BackupScenarios
import BackupVerdicts

extension ScenarioResult {
  /// The requirements of the standard suite, such as `class.critical`, that the scenario names, and
  /// that the app breaks or the runs did not test.
  ///
  /// A finding breaks only the requirements that it is about. Advice and expected findings break
  /// none. If a run stopped early, or a step had no effect, all requirements count as broken. The
  /// same holds if the scenario did not pass, but no finding breaks a requirement.
  var brokenRequirements: Set<String> {
    let allRequirements = Set(scenario.requirements.map(\.value))
    let isUntested = problems.contains { $0.kind == .idle && $0.isFailure }
    guard verdict != .error, !isUntested else { return allRequirements }
    let brokenByFindings = runs.flatMap { run in
      run.findings.filter { !$0.isExpected && $0.severity != .advice }.flatMap { finding in
        run.transcript?.requirements(of: finding, among: allRequirements) ?? allRequirements
      }
    }
    return brokenByFindings.isEmpty && verdict != .passed ? allRequirements : Set(brokenByFindings)
  }
}

extension Transcript {
  /// Returns those of a scenario's requirements that a finding is about. Returns all of them if the
  /// rule does not say which, or if the rule names only other requirements. Returns none if the
  /// rule says that it is about no requirement.
  fileprivate func requirements(
    of finding: Scenario.Finding, among allRequirements: Set<String>
  ) -> Set<String> {
    let relatedRequirements: Set<String>
    switch RuleList.rule(named: finding.rule)?.requirements ?? .all {
    case .all: relatedRequirements = allRequirements
    case .named(let requirements): relatedRequirements = requirements
    case .byKind(directory: let directoryRequirement, other: let otherRequirement):
      let isDirectory = finding.path.flatMap { lastTree[$0]?.isDirectory } == true
      relatedRequirements = [isDirectory ? directoryRequirement : otherRequirement]
    case .onEvent(let causes):
      let area = area(of: finding, causedBy: causes)
      let requirementsInArea = allRequirements.filter { $0.hasPrefix("\(area).") }
      relatedRequirements = requirementsInArea.isEmpty ? allRequirements : requirementsInArea
    }
    let brokenRequirements = relatedRequirements.intersection(allRequirements)
    return brokenRequirements.isEmpty && !relatedRequirements.isEmpty
      ? allRequirements : brokenRequirements
  }

  /// Returns the area of the requirements that a failed use of an item breaks: `purge`, `update`,
  /// `restore` or `layout`.
  ///
  /// The area names the last system event with an effect in `causes` before the app used the item.
  /// The effect is that the event removed the item, or moved the container. Without such an event,
  /// the area is `layout`.
  private func area(
    of finding: Scenario.Finding, causedBy causes: Set<BrokenRequirements.EventEffect>
  ) -> String {
    let useIndex = entries.firstIndex { entry in
      guard entry.event.pathOfFailedUse == finding.path else { return false }
      // A finding about a link is reported at the step that created the link, not at the step that
      // used it.
      if case .staleLink = entry.event { return true }
      return entry.step.number == finding.step.number
    }
    let causeIndex = entries[..<(useIndex ?? entries.endIndex)].indices.last { index in
      guard let path = finding.path, let lossReason = entries[index].event.losses?.lossReason,
        lossReason.area != nil
      else { return false }
      let treeBefore = index > 0 ? entries[index - 1].tree : firstTree
      let isLost = treeBefore.contains(path) && !entries[index].tree.contains(path)
      return causes.contains(.takesItem) && isLost
        || causes.contains(.movesContainer) && lossReason.comesWithNewPaths
    }
    return causeIndex.flatMap { entries[$0].event.losses?.lossReason.area } ?? "layout"
  }
}

extension Transcript.LossReason {
  /// The area of the requirements for items that are missing for this reason, such as `purge`; nil
  /// if an app need not handle such items.
  fileprivate var area: String? {
    switch self {
    case .purged: "purge"
    case .notKeptByUpdate: "update"
    case .notRestored: "restore"
    case .notKeptByOffload, .deletedWithApp: nil
    }
  }
}

extension Transcript.Event {
  /// The path at which the app's read or write failed; nil for other events.
  fileprivate var pathOfFailedUse: ContainerPath? {
    switch self {
    case .readMissing(let path, _), .writeToMissing(let path, _), .staleURL(let path, _),
      .staleLink(let path, _, _), .refused(let path, _):
      path
    default: nil
    }
  }
}
