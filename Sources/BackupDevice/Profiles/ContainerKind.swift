extension SystemProfile {
  /// Which of an app's containers a tree is of.
  public enum ContainerKind: String, CaseIterable, Hashable, Sendable {
    /// The app's own.
    case app
    /// One that it shares with its extensions and sibling apps.
    case appGroup
  }
}
