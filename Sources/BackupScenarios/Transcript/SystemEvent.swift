public import BackupContainer
public import BackupDevice
public import BackupFileTree

extension Transcript {
  /// An event of iOS that concerns the app's containers or the device.
  @nonexhaustive
  public enum SystemEvent: Sendable {
    case backup(FakeContainer.Backup)
    case purge(PurgeSimulator.Pressure)
    case appUpdate(version: String)
    case systemUpdate(SystemVersion)
    /// The app was restored, by default onto a new device.
    case restore(FakeContainer.Backup)
    /// The system put a file into the container.
    case place(ContainerPath)
    case offload
    /// The app was installed again, after an offload or a deletion.
    case reinstall
    /// The device was restarted, locked or unlocked.
    case lock(LockChange)

    /// A change of the device's lock.
    @nonexhaustive
    public enum LockChange: Hashable, Sendable {
      /// The user unlocked the device afterwards.
      case restart
      /// The device is still locked, and iOS has launched the app.
      case lockedRestart
      case lock
      case unlock
    }
  }

  /// The items that iOS deleted or did not restore in an event, and the reason.
  package struct Losses: Sendable {
    package let items: [FileTree.LostItem]
    package let lossReason: LossReason
  }

  /// The reason why an item is missing. Results print the raw value.
  package enum LossReason: String, CaseIterable, Sendable {
    case purged
    case notKeptByUpdate = "not kept by the update"
    case notKeptByOffload = "not kept by the offload"
    /// The user deleted the app, so nobody misses the item.
    case deletedWithApp = "deleted with the app"
    case notRestored = "not in the backup"

    /// True if the event also gave the containers new paths.
    package var comesWithNewPaths: Bool { self != .purged && self != .notKeptByOffload }
  }
}

extension Transcript.SystemEvent {
  /// The reason why items are missing after the event; nil if an event of this kind deletes none.
  package var lossReason: Transcript.LossReason? {
    switch self {
    case .purge: .purged
    case .appUpdate: .notKeptByUpdate
    case .restore: .notRestored
    case .offload: .notKeptByOffload
    case .reinstall: .deletedWithApp
    case .backup, .systemUpdate, .place, .lock: nil
    }
  }

  /// The event as a noun phrase for a sentence; nil for an event after which the app's `check` does
  /// not run.
  package var nounPhrase: String? {
    switch self {
    case .purge(let pressure): "the purge '\(pressure)'"
    case .appUpdate(version: let version): "the update of the app to \(version)"
    case .systemUpdate(let version): "the update to iOS \(version)"
    case .restore(let backup): "the restore of \"\(backup.label)\""
    case .offload: "the offload"
    case .reinstall: "the reinstallation"
    case .lock(.restart): "the restart"
    case .lock(.lockedRestart): "the restart of the locked device"
    case .lock(.lock): "the lock of the device"
    case .backup, .place, .lock(.unlock): nil
    }
  }

  /// The file that iOS put into the container; nil for any other event.
  package var placedFile: ContainerPath? {
    if case .place(let path) = self { path } else { nil }
  }

  /// The backup that was restored; nil for any other event.
  package var restoredBackup: FakeContainer.Backup? {
    if case .restore(let backup) = self { backup } else { nil }
  }

  /// Returns the reason why the restored backup lacks an item. Returns nil if the event is no
  /// restore, or if the backup contains the item.
  package func leftOutReason(for path: ContainerPath) -> BackupSet.LeftOutReason? {
    restoredBackup?.contents.decision(on: path)?.reason
  }
}

extension Transcript.SystemEvent.LockChange {
  /// The lock of the device after the change.
  package var resultingLock: DeviceLock {
    switch self {
    case .restart, .unlock: .unlocked
    case .lockedRestart: .neverUnlocked
    case .lock: .locked
    }
  }

  var restartsDevice: Bool { self == .restart || self == .lockedRestart }

  var keyword: StepKeyword {
    switch self {
    case .restart, .lockedRestart: .restart
    case .lock: .lock
    case .unlock: .unlock
    }
  }
}
