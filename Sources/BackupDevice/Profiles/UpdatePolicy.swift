public import BackupFileTree

extension SystemProfile {
  /// What an update of the app carries into its new container, as data.
  public struct UpdatePolicy: Hashable, Sendable {
    /// The directories carried over with all in them, marks too.
    public var carriedOver: SystemProfile.Sourced<[ContainerPath]>
    /// The directories that a restore makes but does not fill, whatever the backup holds.
    public var neverRestored: SystemProfile.Sourced<[ContainerPath]>
  }
}
