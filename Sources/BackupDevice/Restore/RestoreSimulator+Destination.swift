extension RestoreSimulator {
  /// Where a backup is restored to.
  @nonexhaustive
  public enum Destination: String, CaseIterable, Hashable, Sendable {
    /// The device that the backup was taken of.
    case sameDevice
    /// Another device.
    case newDevice
    /// Another device, straight from the one before; what it takes along goes by the rules of a
    /// backup to a computer (`unverified`).
    case transfer
  }
}

extension SystemProfile.KeychainPolicy {
  /// Whether the items are there after a restore.
  ///
  /// - Parameter destination: Where the backup is restored to.
  /// - Returns: What the policy says of that.
  public func isKept(restoringTo destination: RestoreSimulator.Destination) -> Bool {
    switch destination {
    case .sameDevice: outlivesRestore.value
    case .newDevice, .transfer: reachesNewDevice.value
    }
  }
}
