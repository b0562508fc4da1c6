public import BackupFileTree

extension SystemProfile {
  /// What backups of one kind of container hold, as data.
  public struct BackupPolicy: Hashable, Sendable {
    /// The directories that backups begin at; nil for the whole container.
    public var roots: SystemProfile.Sourced<[ContainerPath]?>
    /// Places that no backup holds, matched from the container's top only.
    public var locations: [SystemProfile.Sourced<ContainerPath>]
    /// Places that the system keeps for itself, matched likewise.
    public var systemManaged: [SystemProfile.Sourced<ContainerPath>]
    /// Names of files that unfinished saves leave behind.
    public var remnants: SystemProfile.Sourced<[SystemProfile.RemnantPattern]>
    /// Whether `-wal`, `-shm` and `-journal` beside a readable database are not stored on their own.
    public var storesDatabasesWhole: SystemProfile.Sourced<Bool>
    /// The shortest absolute path, in bytes, that backups skip.
    public var skippedPathLength: SystemProfile.Sourced<Int>
    /// How many bytes a container's own path and the `/` after it have on a device.
    public var containerPathLength: SystemProfile.Sourced<Int>
  }
}
