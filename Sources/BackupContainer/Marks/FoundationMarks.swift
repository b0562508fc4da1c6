import CBackupFiles

/// Whether a mark that the app's code sets by Foundation is seen.
///
/// Foundation on Linux ignores `isExcludedFromBackup` and says nothing. In a module with the shim it
/// does not, and the shim asks the kit for the container each time.
package enum FoundationMarks {
  /// Whether a module with the shim has asked for a container in this process.
  private static let hasShim = Locked(false)

  /// Notes that a module has the shim.
  package static func noteShim() {
    hasShim.withLock { $0 = true }
  }

  /// Whether such marks are seen: by the platform, or as far as is known by the shim.
  package static var areSeen: Bool {
    cea_foundation_stores_marks() != 0 || hasShim.withLock { $0 }
  }
}
