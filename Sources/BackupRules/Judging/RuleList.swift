import BackupFileTree
package import BackupScenarios

/// Every rule, those that explain the most first.
package enum RuleList {
  /// The rules in the order they are checked.
  package static let all: [any Rule] = [
    RefusedPlaceRule(), SecretBackedUpRule(), ExistsBeforeSetRule(), MarkUnavailableRule(),
    SystemDirectoryMarkedRule(),
    DeprecatedMarkRule(), ReapplyOnSaveRule(), IncompleteGroupRule(), UserDataPurgeableRule(),
    UserDataExcludedRule(), RecreatableDataBackedUpRule(), MisplacedItemRule(),
    ExistsBeforeUseRule(), ContentsChangedRule(), TornSaveRule(), HalfDoneRule(),
    StaleContainerPathRule(), TemporaryLeftBehindRule(), UndeclaredItemRule(),
    DirectoryNameRule(), BackupBudgetRule(), StorageBudgetRule(),
  ]

  /// The names of all rules.
  package static let names = all.map(\.name)

  /// The name of the rule on saves amid which the app was killed.
  package static let tornSave = TornSaveRule().name

  /// Checks a run.
  ///
  /// - Parameters:
  ///   - transcript: The run.
  ///   - rules: The rules, every one by default; those that explain the most come first.
  /// - Returns: The findings, each cause once.
  package static func findings(
    in transcript: Transcript, by rules: [any Rule] = all
  ) -> [Scenario.Finding] {
    var monitor = RunMonitor(transcript, by: rules)
    for entry in transcript.entries { monitor.observe(entry) }
    if transcript.failure == nil { monitor.end() }
    let violations = monitor.takeViolations()
    return notingShim(monitor.findings(of: violations), transcript.stepsWithoutShim)
  }

  /// The findings, with a note on the shim beside the first that is about a missing mark, where the
  /// app's own code may have set that mark and nobody has seen it.
  private static func notingShim(
    _ findings: [Scenario.Finding], _ steps: Set<Scenario.StepReference.Number>
  ) -> [Scenario.Finding] {
    let index = findings.firstIndex { finding in
      finding.missingMark.contains(.resourceValue) && steps.contains(finding.step.number)
    }
    guard let index else { return findings }
    var findings = findings
    findings[index].note =
      "on Linux a mark that Foundation sets is seen only in modules with the file that "
      + "'backup-testing linux-shim' prints, or with "
      + "LinuxAppShim in the test target; neither has been at work"
    return findings
  }
}
