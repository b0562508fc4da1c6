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
  /// Those at which they were not, so that the app was not killed within them.
  package internal(set) var unseenActivities = 0
  /// Whether every point was tried.
  package internal(set) var isComplete = true

  /// Adds what another exploration has done.
  mutating func add(_ other: ExplorationCounts) {
    restPoints += other.restPoints
    innerPoints += other.innerPoints
    histories += other.histories
    abandoned += other.abandoned
    seenActivities += other.seenActivities
    unseenActivities += other.unseenActivities
    isComplete = isComplete && other.isComplete
  }
}
