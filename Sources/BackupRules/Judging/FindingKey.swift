import BackupFileTree
package import BackupScenarios

/// What makes findings of several runs one: the rule, how bad it is, and the item.
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
