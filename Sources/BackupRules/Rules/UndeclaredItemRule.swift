import BackupDevice
import BackupFileTree
import BackupScenarios

/// An item that the app put there and no pattern of `files` names.
///
/// A promise about files is worth what it covers. This finds what was forgotten, what a new version
/// adds, and what third-party code leaves in the container.
struct UndeclaredItemRule: Rule {
  let name = "undeclared-item"
  let severity = Scenario.Severity.warning
  let basis = RuleBasis.classes
  let sources: [SystemProfile.Source] = [.appleGuidelines2011]
  var requirements: BrokenRequirements { .named([]) }

  func observe(_ event: ObservedEvent, _ memory: inout NoMemory, _ report: inout RuleReport) {
    guard let checkpoint = event.checkpoint else { return }
    for file in checkpoint.files where file.dataClass == nil {
      let path = file.path
      // The system keeps user defaults there: the app's own, a suite's, or a group's.
      let isOfDefaults =
        path.pathInContainer?.parent == ContainerPath.StandardLocation.preferences.path
        && path.name.hasSuffix(".plist")
      guard !isOfDefaults, let step = event.facts.ledger.origin(of: path),
        // What was found among the system's own is not known for the app's.
        step.number != .found || !checkpoint.profile.isSystemManaged(path)
      else { continue }
      report.add(
        self, at: step, on: path, identity: .item,
        "no pattern in 'files' matches '\(path)', so its class is unknown",
        advice: .byFindings { Self.advice(on: path, in: $0) })
    }
  }

  /// What to do about an item: where one of its name is critical elsewhere, to save it there.
  private static func advice(on path: ContainerPath, in summary: RunSummary) -> String {
    let advice =
      "add a pattern with its class: critical, support, offline, cached, temporary or secret"
    guard let place = summary.criticalPlace(of: path.name) else { return advice }
    return "the pattern '\(place)' declares a critical file of the same name: if this is that "
      + "file, save it where the pattern matches; if not, \(advice)"
  }
}
