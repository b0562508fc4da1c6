/// How far a scenario is explored, and what is reported.
package struct ExplorationSettings: Hashable, Sendable {
  /// What has to be seen of a mistake for it to be reported.
  package enum Tier: String, CaseIterable, Comparable, Hashable, Sendable {
    /// Neither the next launch nor doing the activity again heals it, or the user's data is lost.
    case lasting
    /// It is there from a kill until the activity is done again: the next launch does not heal it.
    case interrupted
    /// A backup holds it that is taken amid an activity, though nothing else happens.
    case strict

    /// Orders tiers, the worse first.
    package static func < (left: Tier, right: Tier) -> Bool { left.rank < right.rank }

    /// The place in that order.
    private var rank: Int {
      switch self {
      case .lasting: 0
      case .interrupted: 1
      case .strict: 2
      }
    }
  }

  /// The most often that it acts beside what a scenario says.
  package static let mostActs = 4

  /// How often the system acts beside what the scenario says, at most.
  package var depth = 1
  /// How many histories are followed at most.
  package var budget = 2000
  /// The weakest tier that is reported.
  package var tier = Tier.lasting
  /// The one history that is followed; nil for all.
  package var replayed: ReplayToken?
  /// Whether histories that come to the same state are followed once; tests compare.
  var mergesStates = true

  /// What holds where nobody says otherwise.
  package init() {}
}
