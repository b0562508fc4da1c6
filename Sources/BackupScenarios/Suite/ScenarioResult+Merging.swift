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
    for run in runs {
      for judged in run.findings {
        let index = merged.firstIndex { $0.isSame(as: judged) }
        if let index {
          merged[index].variants.append(run.variant)
        } else {
          merged.append(
            MergedFinding(
              finding: judged.finding, isExpected: judged.isExpected, variants: [run.variant]))
        }
      }
    }
    return merged
  }
}

extension ScenarioResult.MergedFinding {
  /// Whether a finding of another run says the same.
  fileprivate func isSame(as judged: RunResult.JudgedFinding) -> Bool {
    let other = judged.finding
    return finding.rule == other.rule && finding.step == other.step && finding.path == other.path
      && finding.severity == other.severity && isExpected == judged.isExpected
  }
}
