extension Scenario {
  /// How bad a finding is, the worst first.
  @nonexhaustive
  public enum Severity: String, CaseIterable, Hashable, Sendable {
    /// The app is wrong.
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
    left.rank < right.rank
  }

  /// How many are worse.
  private var rank: Int {
    switch self {
    case .error: 0
    case .warning: 1
    case .advice: 2
    }
  }
}
