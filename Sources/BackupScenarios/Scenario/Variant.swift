public import BackupDevice

extension Scenario {
  /// One system and one kind of backup that a scenario runs under.
  public struct Variant: Hashable, Sendable, CustomStringConvertible {
    /// The version of iOS the device has at first.
    public let system: SystemVersion
    /// Where its backups go.
    public let backups: BackupKind

    /// A system with a kind of backup.
    ///
    /// - Parameters:
    ///   - system: The version of iOS the device has at first.
    ///   - backups: Where its backups go.
    public init(system: SystemVersion, backups: BackupKind) {
      self.system = system
      self.backups = backups
    }

    /// `iOS 18, iCloud`.
    public var description: String { "iOS \(system), \(backups.rawValue)" }
  }
}
