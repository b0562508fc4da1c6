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
  /// Whether every point was tried.
  package internal(set) var isComplete = true

  /// Adds what another exploration has done.
  mutating func add(_ other: ExplorationCounts) {
    restPoints += other.restPoints
    innerPoints += other.innerPoints
    histories += other.histories
    abandoned += other.abandoned
    isComplete = isComplete && other.isComplete
  }
}
