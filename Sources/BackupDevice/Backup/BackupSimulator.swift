public import BackupFileTree

/// Predicts what a backup holds: a pure function of a tree and a profile.
///
/// Where the backup goes makes no difference, since every ``SystemProfile/BackupKind`` follows the
/// same public marks; but where the user has switched the app's backup off, it holds nothing.
///
/// Containers of groups and extensions that the tree has beside the app's own, as `group.x:`, are
/// decided on by the rules of their kind. Whether the user's switch is for them too is
/// `unverified`: nothing of them is in the backup then.
///
/// ```swift
/// let set = BackupSimulator(profile: profile).backUp(try container.scan())
/// set.decision(on: movie)?.reason  // own mark
/// ```
public struct BackupSimulator: Sendable {
  /// The version of iOS that backs up.
  public let profile: SystemProfile
  /// Which container the tree is of, but for those beside it.
  public let container: SystemProfile.ContainerKind
  /// Where the backup goes, which decides what it may hold.
  public let backups: SystemProfile.BackupKind

  /// A simulator of one system.
  ///
  /// - Parameters:
  ///   - profile: The version of iOS that backs up.
  ///   - container: Which of an app's containers the tree is of.
  ///   - backups: Where the backup goes.
  public init(
    profile: SystemProfile, container: SystemProfile.ContainerKind = .app,
    backups: SystemProfile.BackupKind = .iCloud
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
    let rules = BackupRules(
      policy: profile.backupPolicy(for: container),
      bundleIsInContainer: container == .app && profile.bundleIsInContainer.value)
    var pass = BackupPass(
      rules: rules, marks: profile.effectiveMarks,
      ignoredMarks: profile.honouredMarks.value.subtracting(profile.effectiveMarks),
      children: tree.children
    ) { name in
      BackupRules(policy: profile.backupPolicy(for: SystemProfile.ContainerKind(name)), of: name)
    }
    if backups == .off { pass.leaveAllOut(.switchedOff) } else { pass.decideAll() }
    return BackupSet(pass.decisions)
  }
}
