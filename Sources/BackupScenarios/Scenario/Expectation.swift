public import BackupDevice
public import BackupDiagnostics
public import BackupFileTree

extension Scenario {
  /// A finding that a scenario says must come.
  public struct Expectation: Hashable, Sendable {
    /// The name of the rule that the scenario expects to be broken, such as `reapply-on-save`.
    public let rule: String
    /// How bad it is; nil for however bad.
    public let severity: Scenario.Severity?
    /// The step that causes it; nil for any.
    public let step: Scenario.StepReference.Number?
    /// The item; nil for any.
    public let path: ContainerPath?
    /// The systems of a matrix that it is for; nil for all.
    public let systems: [SystemVersion]?
    /// The backup kinds that it is for; nil for all.
    public let backups: [SystemProfile.BackupKind]?
    /// Where it stands in the scenario file.
    public let position: SourcePosition
    /// The former name of the rule, if the file has that.
    package var formerRule: String?

    /// The rules that are parts of others now, with the names of those.
    static let formerRules = ["torn-save": "user-data-lost", "contents-changed": "user-data-lost"]

    /// Whether it is for a run under this system and kind.
    ///
    /// - Parameter variant: The system and backup kind of the run.
    /// - Returns: True where neither its systems nor its backup kinds rule the run out.
    public func applies(to variant: Scenario.Variant) -> Bool {
      systems?.contains(variant.system) != false && backups?.contains(variant.backups) != false
    }

    /// Whether it is for a finding, whatever the step.
    package func matches(_ rule: String, _ severity: Severity, at path: ContainerPath?) -> Bool {
      self.rule == rule && (self.severity ?? severity) == severity
        && (self.path == nil || self.path == path)
    }
  }

  /// Whether the scenario expects such a finding in some step of a run.
  package func expects(
    _ rule: String, _ severity: Severity, at path: ContainerPath?, in variant: Variant
  ) -> Bool {
    expectations.contains { $0.matches(rule, severity, at: path) && $0.applies(to: variant) }
  }

  /// How bad a finding is, the worst first.
  @nonexhaustive
  public enum Severity: String, CaseIterable, Codable, Hashable, Sendable {
    case error
    /// The app is right by luck, or leaves work undone.
    case warning
    /// There is a better way.
    case advice
  }
}

extension Scenario.Severity: Comparable {
  /// Orders severities, the worst first.
  public static func < (left: Scenario.Severity, right: Scenario.Severity) -> Bool {
    allCases.prefix { $0 != right }.contains(left)
  }
}
