public import BackupDevice
public import BackupDiagnostics
public import BackupFileTree

extension Scenario {
  /// A finding that a scenario expects.
  public struct Expectation: Hashable, Sendable {
    /// The name of the rule that the scenario expects to be broken, such as `reapply-on-save`.
    public let rule: String
    /// The finding's severity; nil for any.
    public let severity: Scenario.Severity?
    /// The step that causes the finding; nil for any.
    public let step: Scenario.StepReference.Number?
    /// The item that the finding is about; nil for any.
    public let path: ContainerPath?
    /// The systems on which the finding occurs; nil for all.
    public let systems: [SystemVersion]?
    /// The kinds of backup with which the finding occurs; nil for all.
    public let backups: [SystemProfile.BackupKind]?
    /// The position of the expectation in the scenario file.
    public let position: SourcePosition
    /// The former name of the rule, if the scenario file uses it.
    package var formerRule: String?

    /// The former names of rules. Each value is the rule that replaced the former one.
    static let formerRules = ["torn-save": "user-data-lost", "contents-changed": "user-data-lost"]

    /// Returns true if the finding must occur in a run.
    ///
    /// - Parameter variant: The system and the kind of backup of the run.
    /// - Returns: True unless the expectation's systems or kinds of backup exclude the run.
    public func applies(to variant: Scenario.Variant) -> Bool {
      systems?.contains(variant.system) != false && backups?.contains(variant.backups) != false
    }

    /// Returns true if a finding has the expected rule, severity and item. Does not compare the
    /// step.
    package func matches(_ rule: String, _ severity: Severity, at path: ContainerPath?) -> Bool {
      self.rule == rule && (self.severity ?? severity) == severity
        && (self.path == nil || self.path == path)
    }
  }

  /// Returns true if the scenario expects a finding of this rule at any step of a run.
  package func expects(
    _ rule: String, _ severity: Severity, at path: ContainerPath?, in variant: Variant
  ) -> Bool {
    expectations.contains { $0.matches(rule, severity, at: path) && $0.applies(to: variant) }
  }

  /// The severity of a finding, the worst first.
  @nonexhaustive
  public enum Severity: String, CaseIterable, Codable, Hashable, Sendable {
    case error
    /// The app works only by luck, or does not finish its work.
    case warning
    /// The app works, but a better way exists.
    case advice
  }
}

extension Scenario.Severity: Comparable {
  /// Orders severities, the worst first.
  public static func < (left: Scenario.Severity, right: Scenario.Severity) -> Bool {
    allCases.prefix { $0 != right }.contains(left)
  }
}
