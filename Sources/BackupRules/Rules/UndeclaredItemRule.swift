import BackupDevice
import BackupFileTree
import BackupScenarios

/// Reports an item of the app that no pattern in `files` matches.
///
/// The rule finds files that the author of the patterns forgot, that a new version of the app adds,
/// or that third-party code leaves in the container.
struct UndeclaredItemRule: Rule {
  let name = "undeclared-item"
  let severity = Scenario.Severity.warning
  let basis = RuleBasis.classes
  let sources: [SystemProfile.Source] = [.appleGuidelines2011]
  var requirements: BrokenRequirements { .named([]) }

  func observe(_ event: ObservedEvent, _ memory: inout NoMemory, _ report: inout RuleReport) {
    guard let checkpoint = event.checkpoint else { return }
    for file in checkpoint.filesToJudge where file.dataClass == nil {
      let path = file.path
      // The system keeps user defaults in Library/Preferences, for the app, a suite or a group.
      let isDefaultsFile =
        path.pathWithoutContainerName?.parent == ContainerPath.StandardLocation.preferences.path
        && path.name.hasSuffix(".plist")
      guard !isDefaultsFile, let step = event.facts.ledger.origin(of: path),
        // If an item existed before the kit watched the container, and is in a directory of the
        // system, it may be the system's.
        step.number != .found || !checkpoint.profile.isSystemManaged(path)
      else { continue }
      report.add(
        self, at: step, on: path, groupedBy: .item,
        "no pattern in 'files' matches '\(path)', so its class is unknown",
        advice: .dependingOnRun { Self.advice(on: path, in: $0) })
    }
  }

  /// Returns the advice: a new pattern, or the place of a critical file with the same name.
  private static func advice(on path: ContainerPath, in summary: RunSummary) -> String {
    let advice =
      "add a pattern with its class: critical, support, offline, cached, temporary or secret"
    guard let criticalPathOrPattern = summary.criticalPathOrPattern(forName: path.name) else {
      return advice
    }
    return
      "the pattern '\(criticalPathOrPattern)' declares a critical file of the same name: if this is that "
      + "file, save it where the pattern matches; if not, \(advice)"
  }
}
