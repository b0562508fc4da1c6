package import BackupScenarios

/// Every rule, those that explain the most first.
package enum RuleList {
  /// The rules in the order they are checked.
  package static let all: [any Rule] = [
    ExistsBeforeSetRule(), MarkUnavailableRule(), SystemDirectoryMarkedRule(),
    DeprecatedMarkRule(), ReapplyOnSaveRule(), IncompleteGroupRule(), UserDataPurgeableRule(),
    UserDataExcludedRule(), RecreatableDataBackedUpRule(), ExistsBeforeUseRule(),
    StaleContainerPathRule(), TemporaryLeftBehindRule(), UndeclaredItemRule(),
    DirectoryNameRule(), BackupBudgetRule(),
  ]

  /// The names of all rules.
  package static let names = all.map(\.name)

  /// Checks a run with rules, in their order.
  ///
  /// - Parameters:
  ///   - transcript: The run.
  ///   - rules: The rules, every one by default; those that explain the most come first.
  /// - Returns: The findings, each once.
  package static func findings(
    in transcript: Transcript, by rules: [any Rule] = all
  ) -> [Scenario.Finding] {
    let history = RunHistory(transcript)
    var findings = FindingList()
    for rule in rules { rule.check(history, &findings) }
    return findings.findings
  }
}
