import BackupDevice

extension Scenario {
  /// The options of a scenario's exploration: the key `explore`.
  package struct ExplorationOptions: Hashable, Sendable {
    /// The number of the first step before which exploration injects events; nil for the step after
    /// the last `updateApp`, or step 1.
    package var firstStepNumber: Int?
    /// The events that exploration does not inject.
    package var excludedEvents: Set<InjectableEvent> = []
    /// The parts of the containers that the app expects an update to keep. Exploration does not
    /// report that the app depends on them.
    package var partsKeptByUpdates: Set<UpdateLoss> = []
    /// The reason for the other options; empty if there are none.
    package var reason = ""

    /// False if the scenario excludes all events, so that nothing is explored.
    package var injectsEvents: Bool { excludedEvents.count < InjectableEvent.allCases.count }
  }

  /// An event that exploration can inject into a scenario.
  package enum InjectableEvent: String, CaseIterable, Hashable, Sendable {
    /// The app is killed within an activity.
    case kill
    /// The app is ended and launched again.
    case relaunch
    /// Caches and tmp are purged, as iOS may do at any time.
    case idle
    case lowStorage
    case criticalStorage
    case updateApp
    case updateSystem
    /// A backup is taken and restored on a new device.
    case newDevice
    /// A write that makes a file longer fails because the storage is full. Exploration tries this
    /// with and without a purge before it.
    case storageFull
    /// The device restarts, and the app is launched in the background before the first unlock.
    case locked
  }
}

/// A part of the containers that an update of the app may lose. All observed updates kept these
/// parts, but no source promises this (`unverified`).
package enum UpdateLoss: String, CaseIterable, Hashable, Sendable {
  case marks
  case groups
  case extensions
}

extension Scenario.InjectableEvent {
  /// True if exploration injects the event between a kill and the repetition of the interrupted
  /// activity.
  package var isTriedBeforeRepetition: Bool {
    switch self {
    case .idle, .lowStorage, .criticalStorage, .newDevice: true
    case .kill, .relaunch, .updateApp, .updateSystem, .storageFull, .locked: false
    }
  }

  package var participlePhrase: String {
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

  /// Returns the steps that inject the event.
  ///
  /// `version` is the new version of the app or of iOS. `label` is the label of the backup. A kill
  /// and full storage need no step of their own, because they are keys of another step.
  package func stepActions(version: String, label: String) -> [StepAction] {
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
