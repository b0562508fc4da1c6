extension Scenario {
  /// The limits of an exploration.
  ///
  /// ```swift
  /// await scenario.explore(CinemaApp.self, bounds: Scenario.ExplorationBounds(depth: 2))
  /// ```
  public struct ExplorationBounds: Hashable, Sendable {
    /// The most events that can be injected into a trace; a greater ``depth`` is taken for this.
    package static let mostEvents = 2

    /// How many events are injected into a trace at most, beside what the scenario says: from 1 to
    /// 4.
    public var depth: Int
    /// How many traces of a scenario are followed at most, under all of its systems together. If
    /// they do not suffice, that is an issue.
    public var budget: Int
    /// How long new traces of a scenario are begun, under all of its systems together. If that does
    /// not suffice, it is an issue.
    public var duration: Duration
    /// The only trace to follow; nil for all.
    package var replayed: ReplayToken?
    /// Whether a trace ends at a state from which another has gone on; tests compare both.
    package var mergesStates = true

    /// These bounds as exploration keeps them: a replay injects all events of its token.
    package var inForce: ExplorationBounds {
      var bounds = self
      bounds.depth = min(max(1, replayed?.events.count ?? depth), Self.mostEvents)
      return bounds
    }

    /// The default bounds, except for those that are given.
    ///
    /// - Parameters:
    ///   - depth: How many events are injected into a trace at most.
    ///   - budget: How many traces are followed at most.
    ///   - duration: How long new traces are begun.
    public init(
      depth: Int = 1, budget: Int = 2000, duration: Duration = .seconds(300)
    ) {
      self.depth = depth
      self.budget = budget
      self.duration = duration
    }
  }
}

/// The events of one trace, as a report names them: `movies/download:2.kill(5~mark)`.
package struct ReplayToken: Hashable, Sendable {
  package let scenario: String
  /// The events, each as the description of an injected event has it.
  package let events: [String]

  package init(scenario: String, events: [String]) {
    (self.scenario, self.events) = (scenario, events)
  }
}
