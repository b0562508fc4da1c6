import AppContainer

extension ScenarioResult {
  /// A finding with the runs in which it came.
  struct MergedFinding {
    /// The finding, as the first of the runs words it.
    let finding: Finding
    /// Whether the scenario expects it.
    let isExpected: Bool
    /// The runs.
    var variants: [Variant]
  }

  /// The findings of all runs; one that is the same in several is there once.
  var mergedFindings: [MergedFinding] {
    var merged: [MergedFinding] = []
    var indices: [MergeKey: Int] = [:]
    for run in runs {
      for judged in run.findings {
        let key = MergeKey(judged)
        if let index = indices[key] {
          merged[index].variants.append(run.variant)
        } else {
          indices[key] = merged.count
          merged.append(
            MergedFinding(
              finding: judged.finding, isExpected: judged.isExpected, variants: [run.variant]))
        }
      }
    }
    return merged
  }
}

/// What findings of several runs have in common that say the same.
private struct MergeKey: Hashable {
  /// The rule's name.
  let rule: String
  /// The step that caused it.
  let step: StepReference
  /// The item.
  let path: ContainerPath?
  /// How bad it is.
  let severity: Finding.Severity
  /// Whether the scenario expects it.
  let isExpected: Bool

  /// What a finding has in common with others.
  init(_ judged: RunResult.JudgedFinding) {
    self.rule = judged.finding.rule
    self.step = judged.finding.step
    self.path = judged.finding.path
    self.severity = judged.finding.severity
    self.isExpected = judged.isExpected
  }
}
