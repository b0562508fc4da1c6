/// A doctor's diagnosis of a runner.
public struct Diagnostic: Hashable, Sendable {
  /// The findings of the check-up.
  public let findings: [Finding]

  /// Makes a diagnosis.
  ///
  /// - Parameter findings: The findings of the check-up.
  public init(findings: [Finding]) {
    self.findings = findings
  }

  /// The most severe finding; nil if there is none.
  public var worst: Finding? { findings.max { $0.severity < $1.severity } }
}

/// A finding of a check-up.
public struct Finding: Hashable, Sendable {
  /// How severe the finding is.
  public let severity: Severity
  /// The measurement that shows the finding.
  public let evidence: Evidence

  /// Makes a finding.
  ///
  /// - Parameters:
  ///   - severity: How severe the finding is.
  ///   - evidence: The measurement that shows the finding.
  public init(severity: Severity, evidence: Evidence) {
    self.severity = severity
    self.evidence = evidence
  }
}

/// How severe a finding is.
public enum Severity: Int, Comparable, Sendable {
  case slight
  /// The runner must not race until this is cured.
  case grave

  /// Whether one severity is lower than another.
  public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}

/// A measurement that shows a finding.
public enum Evidence: Hashable, Sendable {
  /// The pulse, in beats per minute.
  case pulse(Int)
}
