/// What a doctor says of a runner.
public struct Diagnostic: Hashable, Sendable {
  /// What was found.
  public let findings: [Finding]

  /// Makes a doctor's word.
  ///
  /// - Parameter findings: What was found.
  public init(findings: [Finding]) {
    self.findings = findings
  }

  /// The worst that was found; nil where nothing was.
  public var worst: Finding? { findings.max { $0.severity < $1.severity } }
}

/// Something found in a check-up.
public struct Finding: Hashable, Sendable {
  /// How bad it is.
  public let severity: Severity
  /// What shows it.
  public let evidence: Evidence

  /// Makes a finding.
  ///
  /// - Parameters:
  ///   - severity: How bad it is.
  ///   - evidence: What shows it.
  public init(severity: Severity, evidence: Evidence) {
    self.severity = severity
    self.evidence = evidence
  }
}

/// How bad a finding is.
public enum Severity: Int, Comparable, Sendable {
  case slight
  /// No race before it is cured.
  case grave

  /// Whether one is less bad than another.
  public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}

/// What shows a finding.
public enum Evidence: Hashable, Sendable {
  /// The pulse, in beats a minute.
  case pulse(Int)
}
