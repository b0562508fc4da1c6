import BackupContainer

/// A number that nothing else in this process has had.
///
/// Foundation's `UUID()` gives the same one each time where no descriptor is free.
package struct SerialNumber: Hashable, Sendable {
  /// The latest that was given.
  private static let latest = Locked<UInt64>(0)

  private let value: UInt64

  package init() {
    value = Self.latest.withLock { latest in
      latest += 1
      return latest
    }
  }
}
