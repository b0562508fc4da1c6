/// How far exploration goes, and what it reports.
package struct ExplorationBounds: Hashable, Sendable {
  /// How long a violation lasts, worst first.
  package enum Tier: String, CaseIterable, Comparable, Hashable, Sendable {
    /// Until the end, though the user repeats what was interrupted and goes on.
    case permanent
    /// Until the user repeats what was interrupted; a start of the app does not put it right.
    case untilRetried = "until-retried"
    /// Until the app starts again.
    case momentary

    package static func < (left: Tier, right: Tier) -> Bool {
      allCases.prefix { $0 != right }.contains(left)
    }
  }

  /// How many events are injected at most, whoever asks for more.
  package static let mostEvents = 4

  /// How many events are injected into a trace at most.
  package var depth = 1
  /// How many traces of a scenario are followed at most, under all of its systems together.
  package var budget = 2000
  /// How long traces of a scenario are begun at most, under all of its systems together.
  package var duration = Duration.seconds(300)
  /// What is reported: this tier and the worse ones.
  package var tier = Tier.permanent
  /// The only trace to follow; nil for all.
  package var replayed: ReplayToken?
  /// Whether a trace ends at a state from which another has gone on; tests compare both.
  var mergesStates = true

  package init() {}
}

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
