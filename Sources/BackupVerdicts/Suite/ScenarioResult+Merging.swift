import BackupDiagnostics
import BackupFileTree
import BackupRules
import BackupScenarios

extension ScenarioResult {
  /// A finding with the runs in which it came.
  struct MergedFinding {
    /// The finding, as the first of the runs words it.
    let judged: Run.JudgedFinding
    /// The runs.
    let variants: [Scenario.Variant]
  }

  /// The findings of all runs; one that is the same in several is there once.
  var mergedFindings: [MergedFinding] {
    let all = runs.flatMap { run in
      run.findings.map { MergedFinding(judged: $0, variants: [run.variant]) }
    }
    return all.grouped { MergeKey($0.judged) }.compactMap { same in
      same.first.map { MergedFinding(judged: $0.judged, variants: same.flatMap(\.variants)) }
    }
  }
}

/// What findings of several runs have in common that say the same.
private struct MergeKey: Hashable {
  /// The rule's name.
  let rule: String
  /// The step that caused it.
  let step: Scenario.StepReference
  /// The item.
  let path: ContainerPath?
  /// How bad it is.
  let severity: Scenario.Severity
  /// Whether the scenario expects it.
  let isExpected: Bool

  /// What a finding has in common with others.
  init(_ judged: ScenarioResult.Run.JudgedFinding) {
    self.rule = judged.finding.rule
    self.step = judged.finding.step
    self.path = judged.finding.path
    self.severity = judged.finding.severity
    self.isExpected = judged.isExpected
  }
}
