/// The state of a device's lock, which decides which files an app can read.
package enum DeviceLock: Hashable, Sendable {
  case unlocked
  /// Locked, and unlocked before since the device started.
  case locked
  /// Locked since the device started.
  case neverUnlocked
}

/// The protection of a file by the passcode, as an app asks for it.
package enum DataProtection: String, CaseIterable, Hashable, Sendable {
  /// `NSFileProtectionComplete`: readable only while the device is unlocked.
  case complete
  /// `NSFileProtectionCompleteUntilFirstUserAuthentication`: readable from the first unlock after a
  /// start of the device.
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
  /// The data that a locked device keeps from apps.
  package struct LockPolicy: Hashable, Sendable {
    /// The protection of a file for which the app asks for none.
    package var usualProtection: Sourced<DataProtection>
    /// A Boolean value that indicates whether user defaults read as empty before the first unlock.
    package var hidesDefaults: Sourced<Bool>
  }
}
