import BackupDevice

extension Scenario {
  /// What a scenario says of its exploration: `explore`.
  package struct ExplorationOptions: Hashable, Sendable {
    /// The number of the first step before which the system may act; nil where that is not said.
    package var firstStep: Int?
    /// What the system does not do in it.
    package var without: Set<Disturbance> = []
    /// What the app relies on an update to keep. Updates that lose it are tried all the same.
    package var updatesKeep: Set<UpdateLoss> = []
    /// Why it is so; empty where nothing is said.
    package var reason = ""

    package var isWanted: Bool { without.count < Disturbance.allCases.count }
  }

  /// What the system may do at any point of a scenario, when it is explored.
  package enum Disturbance: String, CaseIterable, Hashable, Sendable {
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
    /// The device restarts, and the app is launched in the background before the first unlock.
    case locked
  }
}

/// What an update of the app may lose: all observations have it kept, but no source says so
/// (`unverified`).
package enum UpdateLoss: String, CaseIterable, Hashable, Sendable {
  case marks
  case groups
  case extensions
}

extension Scenario.Disturbance {
  /// Whether exploration tries it between a kill and the repetition of what was interrupted.
  package var isTriedBeforeRepetition: Bool {
    switch self {
    case .idle, .lowStorage, .criticalStorage, .newDevice: true
    case .kill, .relaunch, .updateApp, .updateSystem, .storageFull, .locked: false
    }
  }

  package var phrase: String {
    switch self {
    case .kill: "killed"
    case .relaunch: "relaunched"
    case .idle: "Library/Caches and tmp purged"
    case .lowStorage: "Library/Caches purged"
    case .criticalStorage: "Library/Caches and tmp purged because storage was low"
    case .updateApp: "updated"
    case .updateSystem: "the system updated"
    case .newDevice: "moved to a new device"
    case .storageFull: "storage full"
    case .locked: "launched while the device was locked"
    }
  }

  /// The steps that the disturbance adds, with the version of an updated app or system and the label of a backup
  /// that is taken for it; a kill and full storage are keys of a step.
  package func actions(version: String, label: String) -> [StepAction] {
    switch self {
    case .kill, .storageFull: []
    case .relaunch: [.relaunch]
    case .idle: [.system(.purge(.idle))]
    case .lowStorage: [.system(.purge(.lowStorage))]
    case .criticalStorage: [.system(.purge(.criticalStorage))]
    case .updateApp: [.system(.updateApp(to: version, keeping: [], losing: []))]
    case .updateSystem:
      (try? NamedSystem(checking: version)).map { [.system(.updateSystem(to: $0))] } ?? []
    case .locked: [.system(.lock(.lockedRestart)), .system(.lock(.unlock))]
    case .newDevice: [.system(.backup(label)), .system(.restore(label, to: .newDevice))]
    }
  }
}
