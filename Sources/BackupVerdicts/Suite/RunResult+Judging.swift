import BackupRules
import BackupScenarios

extension ScenarioResult.Run {
  /// Judges a run's findings by what its scenario expects.
  init(_ transcript: Transcript, findings: [Scenario.Finding]) {
    var open = transcript.scenario.expectations.filter { $0.applies(to: transcript.variant) }
    self.findings = findings.map { finding in
      guard let index = open.indexOfClosest(to: finding) else {
        return JudgedFinding(finding: finding, isExpected: false)
      }
      open.remove(at: index)
      return JudgedFinding(finding: finding, isExpected: true)
    }
    self.variant = transcript.variant
    self.transcript = transcript
    self.error = nil
    self.missing = transcript.failure == nil ? open : []
  }

  /// A run that could not begin.
  init(_ variant: Scenario.Variant, error: RunError) {
    self.variant = variant
    self.transcript = nil
    self.error = error
    self.findings = []
    self.missing = []
  }
}

extension [Scenario.Expectation] {
  /// The expectation that says the most of those that a finding is; the first of several.
  ///
  /// So that one for any step leaves a finding to another that names its step.
  fileprivate func indexOfClosest(to finding: Scenario.Finding) -> Int? {
    let matching = indices.filter { self[$0].matches(finding) }
    return matching.min { self[$0].freedom < self[$1].freedom }
  }
}

extension Scenario.Expectation {
  /// How many things it leaves open.
  fileprivate var freedom: Int {
    (step == nil ? 1 : 0) + (path == nil ? 1 : 0) + (severity == nil ? 1 : 0)
  }

  /// Whether a finding is the expected one.
  func matches(_ finding: Scenario.Finding) -> Bool {
    rule == finding.rule && severity ?? finding.severity == finding.severity
      && (step == nil || step == finding.step.number) && (path == nil || path == finding.path)
  }
}
