extension Scenario {
  /// How far an exploration goes, and what it reports.
  ///
  /// ```swift
  /// await scenario.explore(CinemaApp.self, bounds: Scenario.ExplorationBounds(depth: 2))
  /// ```
  public struct ExplorationBounds: Hashable, Sendable {
    /// How long a violation lasts, worst first.
    @nonexhaustive
    public enum Tier: String, CaseIterable, Hashable, Sendable {
      /// What neither the next launch nor a repetition puts right, or loses the user's data.
      case permanent
      /// What lasts until the user repeats what was interrupted.
      case untilRetried = "until-retried"
      /// What lasts until the app's next launch.
      case momentary
    }

    /// The most events that can be injected into a trace; a greater ``depth`` is taken for this.
    package static let mostEvents = 4

    /// How many events are injected into a trace at most, beside what the scenario says: from 1 to
    /// 4.
    public var depth: Int
    /// How many traces of a scenario are followed at most, under all of its systems together. If
    /// they do not suffice, that is an issue.
    public var budget: Int
    /// How long new traces of a scenario are begun, under all of its systems together. If that does
    /// not suffice, it is an issue.
    public var duration: Duration
    /// The least severe violations that are reported: ``Tier/untilRetried`` ones are warnings,
    /// ``Tier/momentary`` ones advice.
    public var tier: Tier
    /// The only trace to follow; nil for all.
    package var replayed: ReplayToken?
    /// Whether a trace ends at a state from which another has gone on; tests compare both.
    package var mergesStates = true

    /// The default bounds, except for those that are given.
    ///
    /// - Parameters:
    ///   - depth: How many events are injected into a trace at most.
    ///   - budget: How many traces are followed at most.
    ///   - duration: How long new traces are begun.
    ///   - tier: The least severe violations that are reported.
    public init(
      depth: Int = 1, budget: Int = 2000, duration: Duration = .seconds(300),
      tier: Tier = .permanent
    ) {
      self.depth = depth
      self.budget = budget
      self.duration = duration
      self.tier = tier
    }
  }
}

extension Scenario.ExplorationBounds.Tier: Comparable {
  /// Whether a violation of the left tier lasts longer than one of the right.
  public static func < (
    left: Scenario.ExplorationBounds.Tier, right: Scenario.ExplorationBounds.Tier
  ) -> Bool {
    allCases.prefix { $0 != right }.contains(left)
  }
}

/// The events of one trace, as a report names them: `movies/download:2.kill(5~mark)`.
package struct ReplayToken: Hashable, Sendable {
  package let scenario: String
  /// The events, each as the description of an injected event has it.
  package let events: [String]
}
