/// What an exploration has done.
package struct ExplorationCounts: Hashable, Sendable {
  /// The points between activities.
  package internal(set) var restPoints = 0
  /// The points within activities.
  package internal(set) var innerPoints = 0
  /// The histories.
  package internal(set) var histories = 0
  /// Those in which the app could not do what the story says.
  package internal(set) var abandoned = 0
  /// The activities of the app's own code at which all changes were seen.
  package internal(set) var seenActivities = 0
  /// The numbers of the steps at which they were not, so that the app was not killed within them.
  package internal(set) var unseenSteps: Set<Int> = []
  /// Why not every point was tried; nil where all were.
  package internal(set) var shortfall: Shortfall?

  /// How many activities of the app's own code it was not killed within.
  package var unseenActivities: Int { unseenSteps.count }

  /// Whether every point was tried.
  package var isComplete: Bool { shortfall == nil }

  /// Why an exploration ends before every point was tried.
  package enum Shortfall: CaseIterable, Hashable, Sendable {
    /// As many histories were followed as the budget allows.
    case budget
    /// The task in which it was done was cancelled.
    case cancellation
  }

  /// Adds what another exploration has done.
  mutating func add(_ other: ExplorationCounts) {
    restPoints += other.restPoints
    innerPoints += other.innerPoints
    histories += other.histories
    abandoned += other.abandoned
    seenActivities += other.seenActivities
    unseenSteps.formUnion(other.unseenSteps)
    shortfall = shortfall ?? other.shortfall
  }
}
