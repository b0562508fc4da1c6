extension Scenario {
  /// What a scenario says of its exploration: `explore`.
  package struct ExplorationOptions: Hashable, Sendable {
    /// The number of the first step before which the system may act; nil where that is not said.
    package var firstStep: Int?
    /// What the system does not do in it.
    package var without: Set<ExploredAct> = []
    /// Why it is so; empty where nothing is said.
    package var reason = ""

    package var isWanted: Bool { without.count < ExploredAct.allCases.count }
  }

  /// What the system may do at any point of a scenario, when it is explored.
  package enum ExploredAct: String, CaseIterable, Hashable, Sendable {
    /// The app is killed within what it does.
    case kill
    /// The app is ended and started again.
    case relaunch
    /// Caches and tmp are taken, as at any time.
    case idle
    case lowStorage
    case criticalStorage
    case updateApp
    case updateSystem
    /// A backup is taken and restored on a new device.
    case newDevice
    /// A write that makes a file longer fails, alone and after a purge.
    case storageFull
  }
}
