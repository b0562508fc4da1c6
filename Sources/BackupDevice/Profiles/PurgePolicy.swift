public import BackupFileTree

extension SystemProfile {
  /// What the system takes from an app that does not run, when storage is low, as data.
  public struct PurgePolicy: Hashable, Sendable {
    /// How much goes at a time.
    public enum Unit: String, Hashable, Sendable {
      /// The directory whole: it stands there new, empty and unmarked.
      case wholeDirectory
      /// File by file; directories stay.
      case singleFiles
    }

    /// The directories taken when storage is low.
    public var lowStorage: SystemProfile.Sourced<[ContainerPath]>
    /// The directories taken at the highest urgency.
    public var criticalStorage: SystemProfile.Sourced<[ContainerPath]>
    /// How much goes at a time.
    public var unit: SystemProfile.Sourced<Unit>
    /// Whether an honoured mark spares a file.
    public var sparesMarked: SystemProfile.Sourced<Bool>
  }
}
