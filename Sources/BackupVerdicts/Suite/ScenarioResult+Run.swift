import BackupCollections
import BackupDiagnostics
import BackupFileTree
public import BackupRules
public import BackupScenarios

extension ScenarioResult {
  /// What came of one run.
  public struct Run: Sendable {
    /// The system and backup kind.
    public let variant: Scenario.Variant
    /// What happened; nil where the run could not begin.
    public let transcript: Transcript?
    /// Why it could not begin.
    public let error: RunError?
    /// What broke a rule in it, expected or not.
    public let findings: [JudgedFinding]
    /// The expected findings that did not come.
    public let missing: [Scenario.Expectation]

    /// A finding and whether the scenario expects it.
    public struct JudgedFinding: Sendable {
      /// The finding, with the rule, the step and the item.
      public let finding: Scenario.Finding
      /// Whether the scenario says that it must come.
      public let isExpected: Bool

      /// Whether it fails the scenario; with strictness what is no error does too.
      func fails(isStrict: Bool) -> Bool {
        !isExpected && finding.severity.fails(isStrict: isStrict)
      }
    }

    /// Whether the run did not get to its end.
    public var hasBrokenOff: Bool { transcript == nil || transcript?.failure != nil }

    /// Whether its findings fail the scenario: those that came, and those that did not.
    func hasFailingFindings(isStrict: Bool) -> Bool {
      !missing.isEmpty || findings.contains { $0.fails(isStrict: isStrict) }
    }
  }
}

extension ScenarioResult.Run {
  /// Judges a run's findings by what its scenario expects.
  init(_ transcript: Transcript, findings: [Scenario.Finding]) {
    let match = ExpectationMatch(
      transcript.scenario.expectations.filter { $0.applies(to: transcript.variant) }, findings)
    self.findings = findings.enumerated().map { index, finding in
      JudgedFinding(finding: finding, isExpected: match.isExpected(index))
    }
    self.variant = transcript.variant
    self.transcript = transcript
    self.error = nil
    self.missing = transcript.failure == nil ? match.missing : []
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

extension ScenarioResult {
  /// A finding, in words that hold for all of the runs in which it came or say for which, and these
  /// runs in their order.
  package typealias MergedFinding = (judged: Run.JudgedFinding, variants: [Scenario.Variant])

  /// The findings of all runs; one that is the same in several is there once.
  package var mergedFindings: [MergedFinding] {
    let all = runs.flatMap { run in
      var counts: [[AnyHashable]: Int] = [:]
      return run.findings.map { judged in
        let finding = judged.finding
        let alike: [AnyHashable] = [
          finding.rule, finding.step, finding.path, finding.severity, judged.isExpected,
        ]
        // Several of a run can be alike in all this, as of two limits of a budget.
        counts[alike, default: 0] += 1
        return (key: alike + [counts[alike]], judged: judged, variant: run.variant)
      }
    }
    return all.grouped(by: \.key).compactMap { same in
      let finding = Scenario.Finding.merged(same.map { ($0.variant.system, $0.judged.finding) })
      guard let finding, let isExpected = same.first?.judged.isExpected else { return nil }
      return (Run.JudgedFinding(finding: finding, isExpected: isExpected), same.map(\.variant))
    }
  }
}

extension Scenario.Severity {
  /// Whether an unexpected finding of this severity fails a scenario; with strictness each does.
  func fails(isStrict: Bool) -> Bool { isStrict || self == .error }
}
