import BackupFileTree
package import BackupScenarios

/// What makes findings of several runs one: the rule and the item.
package struct FindingKey: Hashable, Sendable {
  package let rule: String
  /// The item, without what is random in its name; the step's summary for a finding without one.
  let subject: String

  package init(_ finding: Scenario.Finding) {
    self.init(finding.rule, finding.path, finding.step)
  }

  package init(_ violation: Violation) {
    self.init(violation.rule, violation.path, violation.step)
  }

  private init(_ rule: String, _ path: ContainerPath?, _ step: Scenario.StepReference) {
    self.rule = rule
    self.subject = path.map { NameForm.withoutRandomParts("\($0)") } ?? step.summary
  }
}
