/// The state of a device's lock. It decides which files an app can read.
package enum DeviceLock: Hashable, Sendable {
  case unlocked
  /// Locked now, but unlocked at least once since the device started.
  case locked
  /// Not unlocked since the device started.
  case neverUnlocked
}

/// The protection of a file while the device is locked. An app can choose it for each file.
package enum DataProtection: String, CaseIterable, Hashable, Sendable {
  /// `NSFileProtectionComplete`: readable only while the device is unlocked.
  case complete
  /// `NSFileProtectionCompleteUntilFirstUserAuthentication`: readable after the user has unlocked
  /// the device once since it started.
  case untilFirstUnlock
  /// `NSFileProtectionNone`: always readable.
  case none

  package func permitsReading(while lock: DeviceLock) -> Bool {
    switch lock {
    case .unlocked: true
    case .locked: self != .complete
    case .neverUnlocked: self == .none
    }
  }
}

extension SystemProfile {
  /// The rules for data that apps cannot read while the device is locked.
  package struct LockPolicy: Hashable, Sendable {
    /// The protection of a file if the app does not choose one.
    package var defaultProtection: Sourced<DataProtection>
    /// A Boolean value that indicates whether user defaults read as empty before the first unlock.
    package var hidesUserDefaults: Sourced<Bool>
  }
}
