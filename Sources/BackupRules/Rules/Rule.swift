package import BackupDevice
package import BackupScenarios

/// What a run is checked for; adding one means one file and one line in ``RuleList/all``.
///
/// A rule reads what happened and returns findings. One root cause gives one finding: a rule says
/// what its findings account for, and passes over what an earlier rule accounted for.
package protocol Rule: Sendable {
  /// The name in reports and expectations.
  var name: String { get }

  /// How bad its findings are, unless one says otherwise.
  var severity: Scenario.Severity { get }

  /// What it finds, in one sentence.
  var summary: String { get }

  /// Where it comes from.
  var sources: [SystemProfile.Source] { get }

  /// Adds what it finds.
  func check(_ history: RunHistory, _ findings: inout FindingList)
}

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

  /// Checks a run with every rule.
  package static func findings(in transcript: Transcript) -> [Scenario.Finding] {
    findings(in: transcript, by: all)
  }

  /// Checks a run with rules, in their order.
  package static func findings(in transcript: Transcript, by rules: [any Rule]) -> [Scenario
    .Finding]
  {
    let history = RunHistory(transcript)
    var findings = FindingList()
    for rule in rules { rule.check(history, &findings) }
    return findings.findings
  }
}
