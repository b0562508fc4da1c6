import BackupCollections
import BackupDevice
import BackupDiagnostics
import BackupRules
import BackupScenarios

extension ScenarioResult {
  /// The findings nobody expected; those that say the same of the files in a directory once.
  func findingProblems(_ unexpected: [MergedFinding]) -> [Scenario.Problem] {
    unexpected.grouped(by: \.variants).flatMap { alike in
      let variants = alike[0].variants
      let transcript = runs.first { $0.variant == variants[0] }?.transcript
      let findings = alike.map(\.judged.finding)
      let shown = transcript.map { GroupedFindings(findings, in: $0).shown } ?? findings
      return shown.map { problem($0, under: variants) }
    }
  }

  /// A finding nobody expected in some of the runs.
  private func problem(
    _ finding: Scenario.Finding, under variants: [Scenario.Variant]
  ) -> Scenario.Problem {
    Scenario.Problem(
      kind: .finding(rule: finding.rule), severity: finding.severity,
      isFailure: finding.severity.fails(isStrict: isStrict), position: finding.step.position,
      message: "\(finding.rule): \(finding.message)", details: finding.details,
      variants: names(of: variants))
  }

  /// The expected findings that did not come, each with those that came unexpected instead.
  func missingFindings(among unexpected: [MergedFinding]) -> [Scenario.Problem] {
    let missing = runs.flatMap { run in run.missing.map { (expectation: $0, run.variant) } }
    let unexpected = UnexpectedFindings(unexpected)
    return missing.grouped(by: \.expectation).compactMap { same in
      guard let expectation = same.first?.expectation else { return nil }
      let variants = same.map(\.1)
      let path = expectation.path.map { " on '\($0)'" } ?? ""
      let step = expectation.step.map { " at step \($0)" } ?? ""
      let severity = expectation.severity.map { " of severity '\($0.rawValue)'" } ?? ""
      return Scenario.Problem(
        kind: .missingFinding(rule: expectation.rule), severity: .error, isFailure: true,
        position: expectation.position,
        message: "expected the finding \(expectation.rule)\(severity)\(step)\(path), but it did "
          + "not come",
        details: unexpected.sentences(besides: expectation, under: variants),
        variants: names(of: variants))
    }
  }
}
