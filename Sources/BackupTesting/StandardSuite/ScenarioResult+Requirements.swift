import BackupFileTree
import BackupRules
import BackupScenarios
import BackupVerdicts

extension ScenarioResult {
  /// The requirements of the scenario that the result does not show to be kept.
  ///
  /// A finding breaks only the requirements that it is about; advice breaks none. If a run broke
  /// off, or nothing was tested, all requirements are broken.
  var brokenRequirements: Set<String> {
    let all = Set(scenario.requirements.map(\.value))
    let isUntested = problems.contains { $0.kind == .idle && $0.isFailure }
    guard verdict != .error, !isUntested else { return all }
    let broken = runs.flatMap { run in
      run.findings.filter { !$0.isExpected && $0.severity != .advice }.flatMap { finding in
        run.transcript?.requirements(of: finding, among: all) ?? all
      }
    }
    return broken.isEmpty && verdict != .passed ? all : Set(broken)
  }
}

extension Transcript {
  /// Returns the requirements that a finding is about, of those that a scenario of the standard suite shows. Returns
  /// all of these if nothing more exact is known.
  fileprivate func requirements(
    of finding: Scenario.Finding, among all: Set<String>
  ) -> Set<String> {
    let named: Set<String>
    switch RuleList.rule(named: finding.rule)?.requirements ?? .all {
    case .all: named = all
    case .named(let requirements): named = requirements
    case .byKind(directory: let ofDirectory, other: let ofOther):
      let isDirectory = finding.path.flatMap { lastTree[$0]?.isDirectory } == true
      named = [isDirectory ? ofDirectory : ofOther]
    case .onEvent(let causes):
      let area = area(of: finding, causedBy: causes)
      let inArea = all.filter { $0.hasPrefix("\(area).") }
      named = inArea.isEmpty ? all : inArea
    }
    let broken = named.intersection(all)
    return broken.isEmpty && !named.isEmpty ? all : broken
  }

  /// Returns the area of the requirements on the system event that made the use of an item fail.
  ///
  /// The event took the item away, gave it another path, or laid out the container without it.
  private func area(
    of finding: Scenario.Finding, causedBy causes: Set<BrokenRequirements.Cause>
  ) -> String {
    let use = entries.firstIndex { entry in
      guard entry.event.usedPath == finding.path else { return false }
      // A finding about a link is at the step that created the link.
      if case .staleLink = entry.event { return true }
      return entry.step.number == finding.step.number
    }
    let cause = entries[..<(use ?? entries.endIndex)].indices.last { index in
      guard let path = finding.path, let fate = entries[index].event.losses?.fate, fate.area != nil
      else { return false }
      let before = index > 0 ? entries[index - 1].tree : firstTree
      let isLost = before.contains(path) && !entries[index].tree.contains(path)
      return causes.contains(.takesItem) && isLost
        || causes.contains(.movesContainer) && fate.isOfNewContainer
    }
    return cause.flatMap { entries[$0].event.losses?.fate.area } ?? "layout"
  }
}

extension Transcript.Fate {
  /// The area of the requirements on this fate; nil if an app need not handle it.
  fileprivate var area: String? {
    switch self {
    case .purged: "purge"
    case .notCarriedOver: "update"
    case .notRestored: "restore"
    case .notKept, .deletedWithApp: nil
    }
  }
}

extension Transcript.Event {
  /// The path that the app used in vain; nil for other events.
  fileprivate var usedPath: ContainerPath? {
    switch self {
    case .readMissing(let path, _), .writeToMissing(let path, _), .staleURL(let path, _),
      .staleLink(let path, _, _), .refused(let path, _):
      path
    default: nil
    }
  }
}
