extension Scenario {
  /// The limits of an exploration.
  ///
  /// ```swift
  /// await scenario.explore(CinemaApp.self, bounds: Scenario.ExplorationBounds(depth: 2))
  /// ```
  public struct ExplorationBounds: Hashable, Sendable {
    /// The greatest possible ``depth``.
    package static let highestDepth = 2

    /// The highest number of events that exploration injects into a trace: 1 or 2. The scenario's
    /// own events do not count.
    public var depth: Int
    /// The highest number of traces of a scenario, under all of its iOS versions together. If the
    /// scenario has more traces, exploration reports an issue.
    public var budget: Int
    /// The time in which traces of a scenario can begin, under all of its iOS versions together. If
    /// the time is too short for all traces, exploration reports an issue.
    public var duration: Duration
    /// The only trace to run again; nil to explore all traces.
    package var replayToken: ReplayToken?
    /// True if a trace stops at a state from which an earlier trace has continued. Tests compare
    /// the findings of both settings.
    package var mergesStates = true

    /// The bounds with a possible depth: from 1 to ``highestDepth``. In a replay, the depth is the
    /// number of the token's events.
    package var clamped: ExplorationBounds {
      var bounds = self
      bounds.depth = min(max(1, replayToken?.events.count ?? depth), Self.highestDepth)
      return bounds
    }

    /// Creates the bounds of an exploration. Each parameter has a default value.
    ///
    /// - Parameters:
    ///   - depth: The highest number of events that exploration injects into a trace.
    ///   - budget: The highest number of traces of a scenario.
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

/// The scenario and the injected events of one trace, as a report names them. For example,
/// `movies/download:2.kill(5~mark)` is a kill in step 2 of `movies/download`, before the step's
/// change 5, which sets a mark.
package struct ReplayToken: Hashable, Sendable {
  package let scenarioID: String
  /// The injected events in the notation of the token, such as `2.kill(5~mark)`.
  package let events: [String]

  package init(scenario: String, events: [String]) {
    (self.scenarioID, self.events) = (scenario, events)
  }
}
