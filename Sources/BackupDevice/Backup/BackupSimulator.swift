public import BackupFileTree

/// Predicts what a backup holds: a pure function of a tree and a profile.
///
/// Where the backup goes makes no difference, since every ``BackupKind`` follows the same public
/// marks; but where the user has switched the app's backup off, it holds nothing.
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
  /// Where the backup goes.
  public let backups: BackupKind

  /// A simulator of one system.
  ///
  /// - Parameters:
  ///   - profile: The version of iOS that backs up.
  ///   - container: Which of an app's containers the tree is of.
  ///   - backups: Where the backup goes.
  public init(
    profile: SystemProfile, container: SystemProfile.ContainerKind = .app,
    backups: BackupKind = .iCloud
  ) {
    self.profile = profile
    self.container = container
    self.backups = backups
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
    if backups == .off { pass.leaveAllOut(.switchedOff) } else { pass.decideAll() }
    return BackupSet(pass.decisions)
  }
}
