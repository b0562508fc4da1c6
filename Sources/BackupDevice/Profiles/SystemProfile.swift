public import BackupCollections
public import BackupFileTree

/// What one version of iOS does with an app's files: data with its evidence, never branches.
///
/// ```swift
/// let profile = try #require(SystemProfile(version: "5.0.1"))
/// profile.honouredMarks.value  // .extendedAttribute
/// ```
public struct SystemProfile: Hashable, Sendable {
  /// Whether a system keeps to the marks that apps set.
  @nonexhaustive
  public enum Guidance: String, CaseIterable, Hashable, Sendable {
    /// A marked item stays out, as it nearly always does.
    case honoured
    /// Marked items are backed up anyway: a mark is guidance, not a guarantee (`apple-optimizing`).
    case ignored
  }

  /// The version of iOS that the profile is of.
  public var version: SystemVersion
  /// The marks that keep an item out of backups.
  public var honouredMarks: Sourced<ExclusionMark>
  /// The marks that the system has an interface for.
  public var availableMarks: Sourced<ExclusionMark>
  /// The marks that are deprecated in the system.
  public var deprecatedMarks: Sourced<ExclusionMark>
  /// What backups of the app's own container hold.
  @Boxed public var backup: BackupPolicy
  /// What backups of an extension's container hold.
  @Boxed public var extensionBackup: BackupPolicy
  /// What backups of a group container hold.
  @Boxed public var groupBackup: BackupPolicy
  /// What goes of the app's own container, and of an extension's, when storage is low.
  @Boxed public var purge: PurgePolicy
  /// What goes of a group container when storage is low.
  @Boxed public var groupPurge: PurgePolicy
  /// What an update and a restore bring along.
  @Boxed public var update: UpdatePolicy
  /// Whether a group container, which other apps may share, is left as it is by an update of the
  /// app, but for its path.
  public var updateKeepsGroups: Sourced<Bool>
  /// What outlives the app when it is offloaded.
  @Boxed public var offload: OffloadPolicy
  /// What becomes of keychain items.
  @Boxed public var keychain: KeychainPolicy
  /// The kind of backup by whose rules a transfer from device to device goes.
  public var transfer: Sourced<BackupKind>
  /// Whether the app's bundle is inside its container.
  public var bundleIsInContainer: Sourced<Bool>
  /// Whether the system keeps to marks; as long as nothing else is said it does.
  public var guidance: Guidance = .honoured

  /// The policy for a kind of container.
  ///
  /// - Parameter container: Which of an app's containers.
  /// - Returns: ``backup``, ``extensionBackup`` or ``groupBackup``.
  public func backupPolicy(for container: ContainerKind) -> BackupPolicy {
    switch container {
    case .app: backup
    case .appExtension: extensionBackup
    case .appGroup: groupBackup
    }
  }

  /// The policy for a kind of container when storage is low.
  ///
  /// - Parameter container: Which of an app's containers.
  /// - Returns: ``groupPurge`` for a group's, ``purge`` for the others.
  public func purgePolicy(for container: ContainerKind) -> PurgePolicy {
    switch container {
    case .app, .appExtension: purge
    case .appGroup: groupPurge
    }
  }

  /// The system may take an item at this path while the app does not run, at the latest when storage is
  /// lowest.
  public func mayPurge(_ path: ContainerPath) -> Bool {
    guard let place = path.pathInContainer else { return false }
    let policy = purgePolicy(for: ContainerKind(of: path))
    return policy.criticalStorage.value.contains { $0.covers(place) }
  }

  /// The marks that keep an item out, none while guidance is ignored.
  public var effectiveMarks: ExclusionMark { guidance == .honoured ? honouredMarks.value : [] }

  /// What stands in the container of an app that was just installed.
  ///
  /// - Parameter bundleIdentifier: Names the bundle, where it is inside the container.
  /// - Returns: The layout for a `FakeContainer`.
  public func layout(bundleIdentifier: String) -> FileTree.Layout {
    guard bundleIsInContainer.value, let bundle = Self.bundlePath(bundleIdentifier) else {
      return .newlyInstalled
    }
    return FileTree.Layout(directories: FileTree.Layout.newlyInstalled.directories + [bundle])
  }

  /// Where an old system keeps an app's bundle: `<last part of the identifier>.app`.
  private static func bundlePath(_ bundleIdentifier: String) -> ContainerPath? {
    let name = bundleIdentifier.split(separator: ".").last.map(String.init) ?? "app"
    return ContainerPath(ifValid: "\(name.replacing("/", with: "-")).app")
  }

  /// Which of an app's containers a tree is of.
  @nonexhaustive
  public enum ContainerKind: String, CaseIterable, Hashable, Sendable {
    case app
    /// One of its extensions' own, with Documents and a Library as an app has them (`observed`).
    case appExtension
    /// One that it shares with its extensions and sibling apps.
    case appGroup

    /// The kind of the container of a name in a tree, the app's own for nil.
    package init(_ name: ContainerPath.Component?) {
      self = name.map { $0.isGroup ? .appGroup : .appExtension } ?? .app
    }

    /// The kind of the container that an item is in, or that it is: `group.x:/a` is in the group
    /// `group.x`.
    package init(of path: ContainerPath) {
      self.init(path.containerName)
    }

    /// What a new container of this kind has; an app's own may have its bundle too.
    var layout: FileTree.Layout {
      switch self {
      case .app, .appExtension: .newlyInstalled
      case .appGroup: .newGroup
      }
    }
  }

  /// Where a device's backups go, and so which rules decide what they hold.
  @nonexhaustive
  public enum BackupKind: String, CaseIterable, Hashable, Sendable {
    /// To iCloud, whose space the user pays for.
    case iCloud
    case local
    case localEncrypted = "local-encrypted"
    /// To iCloud, but the user has switched the app's backup off there (`apple-fspg`): it has
    /// nothing of the app. Backups to a computer go on, since the switch is iCloud Backup's.
    case off
  }

  /// Whether a device lets no app make or write an item: one in Documents/Inbox, in which the
  /// system puts files that the app is asked to open (`apple-fspg`), or one right in a container.
  package func refuses(_ path: ContainerPath) -> Bool {
    if path.isInInbox { return true }
    guard let namesAtTop, path.containerName?.isGroup != true, let inner = path.pathInContainer
    else { return false }
    return inner.parent == nil && !namesAtTop.contains(inner.name.string)
  }

  /// What stands right in a container of an app or extension, by name: its directories, and those
  /// that Apple's frameworks make; nil if an app may make anything there.
  ///
  /// Up to iOS 8, whose backups take more than the usual directories, no source says that it may
  /// not.
  package var namesAtTop: [String]? {
    guard backup.roots.value != nil else { return nil }
    return ["Documents", "Library", "tmp", "CloudKit", "GeoJSON", "StoreKit", "SystemData"]
  }
}
