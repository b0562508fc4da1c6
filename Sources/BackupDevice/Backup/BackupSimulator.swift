public import BackupFileTree

/// Predicts what a backup holds: a pure function of a tree and a profile.
///
/// Where the backup goes makes no difference: every ``BackupKind`` follows the same public marks.
///
/// ```swift
/// let set = BackupSimulator(profile: profile).backUp(try container.scan())
/// set.decision(on: movie)?.reason  // own mark
/// ```
public struct BackupSimulator: Sendable {
  /// The version of iOS that backs up.
  public let profile: SystemProfile
  /// Which container the tree is of.
  public let container: SystemProfile.ContainerKind

  /// A simulator of one system.
  ///
  /// - Parameters:
  ///   - profile: The version of iOS that backs up.
  ///   - container: Which of an app's containers the tree is of.
  public init(
    profile: SystemProfile, container: SystemProfile.ContainerKind = .app
  ) {
    self.profile = profile
    self.container = container
  }

  /// Decides for every item, in time linear in their number.
  ///
  /// - Parameter tree: The container as it is when the backup is taken.
  /// - Returns: The decisions, each with its reason.
  public func backUp(_ tree: FileTree) -> BackupSet {
    var pass = BackupPass(
      policy: profile.backupPolicy(for: container), marks: profile.effectiveMarks,
      ignoredMarks: profile.honouredMarks.value.subtracting(profile.effectiveMarks),
      bundleIsInContainer: container == .app && profile.bundleIsInContainer.value,
      children: tree.children)
    pass.decideAll()
    return BackupSet(pass.decisions)
  }
}
