package struct ExplorationCounts: Hashable, Sendable {
  /// Why not everything was explored.
  package enum Shortfall: CaseIterable, Hashable, Sendable {
    case budget
    case time
    case cancellation
  }

  /// The number of the first step before which events are injected; nil if that is the scenario's first.
  package internal(set) var firstStep: Int?
  /// The points between atomic blocks, at which the system can act.
  package internal(set) var quiescentPoints = 0
  /// The points within atomic blocks, at which the app can be killed.
  package internal(set) var crashPoints = 0
  package internal(set) var traces = 0
  /// The traces that a simulated step could not go on with.
  package internal(set) var abandoned = 0
  /// The numbers of the steps of the app's own code whose changes were not all seen.
  package internal(set) var unseenSteps: Set<Int> = []
  /// The numbers of those that changed their files in another order when they were done again.
  package internal(set) var unlikeSteps: Set<Int> = []
  package internal(set) var shortfall: Shortfall?

  /// Whether nothing has stopped the search.
  package var isComplete: Bool { shortfall == nil }
}
