import BackupCollections
import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupScenarios

/// An item that the app put there and no pattern of `files` names.
///
/// A promise about files is worth what it covers. This finds what was forgotten, what a new version
/// adds, and what third-party code leaves in the container.
struct UndeclaredItemRule: Rule {
  let name = "undeclared-item"
  let severity = Scenario.Severity.warning
  let summary = "with 'files' given: an item that no pattern names"
  let basis = RuleBasis.classes
  let subjects: [SystemProfile.Subject] = [.place]
  let sources: [SystemProfile.Source] = [.appleGuidelines2011]

  func check(_ history: RunHistory, _ findings: inout FindingList) {
    var found: [(path: ContainerPath, step: Scenario.StepReference)] = []
    var seen: Set<ContainerPath> = []
    for moment in history.moments {
      for file in moment.promisedFiles where file.dataClass == nil {
        guard let step = moment.ledger.origin(of: file.path),
          !isOfSystem(file.path, at: step, on: moment.profile), seen.insert(file.path).inserted
        else { continue }
        found.append((file.path, step))
      }
    }
    guard !found.isEmpty else { return }
    let criticalNames = CriticalNames(in: history)
    for (path, step) in found {
      findings.add(
        self, at: step, on: path, "no pattern in 'files' says what '\(path)' is",
        advice: advice(on: path, besides: criticalNames))
    }
  }

  /// Whether a file was found where the system keeps its own, so that nobody knows it for the app's.
  private func isOfSystem(
    _ path: ContainerPath, at step: Scenario.StepReference, on profile: SystemProfile
  ) -> Bool {
    step.number == .found && profile.isSystemManaged(path)
  }

  /// What to do about an item: where one of its name is critical elsewhere, to save it there.
  private func advice(on path: ContainerPath, besides criticalNames: CriticalNames) -> String {
    let advice =
      "add a pattern with its class: critical, support, offline, cached, temporary or secret"
    guard let place = criticalNames.place(of: path.name) else { return advice }
    return "by '\(place)' an item of this name is critical: if this is that one, save it there; "
      + "if not, \(advice)"
  }
}
