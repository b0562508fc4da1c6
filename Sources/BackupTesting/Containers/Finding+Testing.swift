public import BackupRules
import BackupScenarios
public import Testing

extension Scenario.Finding: CustomStringConvertible, CustomTestStringConvertible {
  /// `error: reapply-on-save at line 42, download again: …; what to do`.
  public var description: String { "\(severity): \(sentence); \(advice)" }

  /// The same, as Swift Testing shows it.
  public var testDescription: String { description }

  /// `reapply-on-save at line 42, download again: …`, the rule with what is wrong and where.
  var sentence: String { "\(rule) at \(step), \(step.summary): \(message)" }
}
