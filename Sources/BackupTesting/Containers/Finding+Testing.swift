public import BackupRules
import BackupScenarios
public import Testing

extension Scenario.Finding: CustomTestStringConvertible {
  /// `error: reapply-on-save at line 42, download again: …`, as Swift Testing shows it.
  public var testDescription: String {
    "\(severity): \(rule) at \(step), \(step.summary): \(message); \(advice)"
  }
}
