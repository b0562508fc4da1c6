extension Scenario {
  /// The limits of an exploration.
  ///
  /// ```swift
  /// await scenario.explore(CinemaApp.self, bounds: Scenario.ExplorationBounds(depth: 2))
  /// ```
  public struct ExplorationBounds: Hashable, Sendable {
    /// The greatest possible ``depth``.
    package static let mostEvents = 2

    /// The most events that are injected into a trace, beside the scenario's own: 1 or 2.
    public var depth: Int
    /// The most traces of a scenario, under all of its systems together. An exploration that needs more is an issue.
    public var budget: Int
    /// The time in which traces of a scenario can begin, under all of its systems together. An exploration that needs
    /// more is an issue.
    public var duration: Duration
    /// The only trace to explore; nil for all.
    package var replayed: ReplayToken?
    /// True if a trace ends at a state from which another trace has continued. Tests compare both values.
    package var mergesStates = true

    /// The bounds that exploration uses: a possible depth, or in a replay, the number of the token's events.
    package var inForce: ExplorationBounds {
      var bounds = self
      bounds.depth = min(max(1, replayed?.events.count ?? depth), Self.mostEvents)
      return bounds
    }

    /// The default bounds, except for those that are given.
    ///
    /// - Parameters:
    ///   - depth: The most events that are injected into a trace.
    ///   - budget: The most traces of a scenario.
    ///   - duration: The time in which traces can begin.
    public init(
      depth: Int = 1, budget: Int = 2000, duration: Duration = .seconds(300)
    ) {
      self.depth = depth
      self.budget = budget
      self.duration = duration
    }
  }
}

/// The scenario and the injected events of one trace, as a report names them: `movies/download:2.kill(5~mark)`.
package struct ReplayToken: Hashable, Sendable {
  package let scenario: String
  /// The descriptions of the injected events.
  package let events: [String]

  package init(scenario: String, events: [String]) {
    (self.scenario, self.events) = (scenario, events)
  }
}
