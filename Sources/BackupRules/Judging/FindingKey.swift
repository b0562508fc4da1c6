import BackupFileTree
package import BackupScenarios

/// Findings of several runs with equal keys are the same finding. An error is not the same as a warning,
/// so that a warning hides none.
package struct FindingKey: Hashable, Sendable {
  package let rule: String
  let severity: Scenario.Severity
  /// The item, without what is random in its name; the step's summary for a finding without one.
  let subject: String

  package init(_ finding: Scenario.Finding) {
    self.init(finding.rule, finding.severity, finding.path, finding.step)
  }

  package init(_ violation: Violation) {
    self.init(violation.rule, violation.severity, violation.path, violation.step)
  }

  private init(
    _ rule: String, _ severity: Scenario.Severity, _ path: ContainerPath?,
    _ step: Scenario.StepReference
  ) {
    (self.rule, self.severity) = (rule, severity)
    self.subject = path.map { NameForm.withoutRandomParts("\($0)") } ?? step.summary
  }
}
