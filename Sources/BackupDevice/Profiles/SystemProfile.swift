public import BackupCollections
public import BackupFileTree

/// The behavior of one version of iOS toward an app's files: data with evidence, never branches.
///
/// ```swift
/// let profile = try SystemProfile.named("5.0.1")
/// profile.honouredMarks.value  // .extendedAttribute
/// ```
public struct SystemProfile: Hashable, Sendable {
  /// The way in which a system treats the marks that apps set.
  @nonexhaustive
  public enum Guidance: String, CaseIterable, Hashable, Sendable {
    /// A marked item stays out of backups, which is nearly always the case.
    case honoured
    /// Marked items are backed up: a mark is guidance, not a guarantee (`apple-optimizing`).
    case ignored
  }

  /// The version of iOS that the profile describes.
  public var version: SystemVersion
  /// The marks that keep an item out of backups.
  public var honouredMarks: Sourced<ExclusionMark>
  /// The marks that apps can set through an interface of the system.
  public var availableMarks: Sourced<ExclusionMark>
  /// The marks that are deprecated in the system.
  public var deprecatedMarks: Sourced<ExclusionMark>
  /// The policy for backups of the app's own container.
  @Boxed public var backup: BackupPolicy
  /// The policy for backups of an extension's container.
  @Boxed public var extensionBackup: BackupPolicy
  /// The policy for backups of a group container.
  @Boxed public var groupBackup: BackupPolicy
  /// The policy for purges of the app's own container and of an extension's.
  @Boxed public var purge: PurgePolicy
  /// The policy for purges of a group container.
  @Boxed public var groupPurge: PurgePolicy
  /// The directories of the app's own container, and of an extension's, in which web views keep the data of
  /// websites. WebKit or iOS may delete this data, but no purge of the kit does.
  public var webViewStorage: Sourced<[ContainerPath]>
  /// The policy for updates and restores.
  @Boxed public var update: UpdatePolicy
  /// A Boolean value that indicates whether an update of the app changes only the path of a group
  /// container, which other apps may share.
  public var updateKeepsGroups: Sourced<Bool>
  /// The policy for an offload of the app.
  @Boxed public var offload: OffloadPolicy
  /// The policy for keychain items.
  @Boxed public var keychain: KeychainPolicy
  /// The policy for a locked device.
  @Boxed package var lock: LockPolicy
  /// The kind of backup whose rules a transfer from device to device follows.
  public var transfer: Sourced<BackupKind>
  /// A Boolean value that indicates whether the app's bundle is inside its container.
  public var bundleIsInContainer: Sourced<Bool>
  /// The way in which the system treats marks; by default it honors them.
  public var guidance: Guidance = .honoured

  /// Hashes the version, which nearly always distinguishes two profiles.
  ///
  /// - Parameter hasher: The hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(version) }

  /// Returns the backup policy for a kind of container.
  ///
  /// - Parameter container: The kind of container.
  /// - Returns: ``backup``, ``extensionBackup`` or ``groupBackup``.
  public func backupPolicy(for container: ContainerKind) -> BackupPolicy {
    switch container {
    case .app: backup
    case .appExtension: extensionBackup
    case .appGroup: groupBackup
    }
  }

  /// Returns the purge policy for a kind of container.
  ///
  /// - Parameter container: The kind of container.
  /// - Returns: ``groupPurge`` for a group's container, ``purge`` for the others.
  public func purgePolicy(for container: ContainerKind) -> PurgePolicy {
    switch container {
    case .app, .appExtension: purge
    case .appGroup: groupPurge
    }
  }

  /// Returns whether the system may take the item at this path while the app does not run. Places
  /// that the system takes only when storage is critically low count too.
  public func mayPurge(_ path: ContainerPath) -> Bool {
    guard let place = path.pathInContainer else { return false }
    let policy = purgePolicy(for: ContainerKind(of: path))
    return policy.criticalStorage.value.contains { $0.covers(place) }
  }

  /// Returns whether a web view keeps the item at this path, so that WebKit or iOS may delete it.
  package func isOfWebView(_ path: ContainerPath) -> Bool {
    guard ContainerKind(of: path) != .appGroup, let place = path.pathInContainer else {
      return false
    }
    return webViewStorage.value.contains { $0.covers(place) }
  }

  /// The marks that keep an item out of backups; none if the system ignores marks.
  public var effectiveMarks: ExclusionMark { guidance == .honoured ? honouredMarks.value : [] }

  /// Returns the layout of the container of a newly installed app.
  ///
  /// - Parameter bundleIdentifier: The identifier that names the bundle, if that is in the
  ///   container.
  /// - Returns: The layout for a `FakeContainer`.
  public func layout(bundleIdentifier: String) -> FileTree.Layout {
    guard bundleIsInContainer.value, let bundle = Self.bundlePath(bundleIdentifier) else {
      return .newlyInstalled
    }
    return FileTree.Layout(directories: FileTree.Layout.newlyInstalled.directories + [bundle])
  }

  /// Returns the path of an app's bundle on an old system: `<last part of the identifier>.app`.
  private static func bundlePath(_ bundleIdentifier: String) -> ContainerPath? {
    let name = bundleIdentifier.split(separator: ".").last.map(String.init) ?? "app"
    return ContainerPath(ifValid: "\(name.replacing("/", with: "-")).app")
  }

  /// The kind of a container: the app's own, an extension's or a group's.
  @nonexhaustive
  public enum ContainerKind: String, CaseIterable, Hashable, Sendable {
    case app
    /// The container of one of the app's extensions, with Documents and Library like an app's
    /// (`observed`).
    case appExtension
    /// A container that the app shares with its extensions and sibling apps.
    case appGroup

    /// Creates the kind of the container with this name in a tree; nil names the app's own.
    package init(_ name: ContainerPath.Component?) {
      self = name.map { $0.isGroup ? .appGroup : .appExtension } ?? .app
    }

    /// Creates the kind of the container that the path is, or is in: `group.x:/a` is in the group
    /// `group.x`.
    package init(of path: ContainerPath) {
      self.init(path.containerName)
    }

    /// The layout of a new container of this kind; an app's own may also have its bundle.
    var layout: FileTree.Layout {
      switch self {
      case .app, .appExtension: .newlyInstalled
      case .appGroup: .newGroup
      }
    }
  }

  /// The destination of a device's backups, which decides what they hold.
  @nonexhaustive
  public enum BackupKind: String, CaseIterable, Hashable, Sendable {
    /// To iCloud, whose space the user pays for.
    case iCloud
    case local
    case localEncrypted = "local-encrypted"
    /// To iCloud, where the user has switched the app's backup off (`apple-fspg`), so it holds
    /// nothing of the app. The switch has no effect on backups to a computer.
    case off
  }

  /// Returns true if a device lets no app create or write the item: in Documents/Inbox, where the
  /// system puts files for the app to open (`apple-fspg`), and at the top of a container.
  package func refuses(_ path: ContainerPath) -> Bool {
    if path.isInInbox { return true }
    guard let namesAtTop, path.containerName?.isGroup != true, let inner = path.pathInContainer
    else { return false }
    return inner.parent == nil && !namesAtTop.contains(inner.name.string)
  }

  /// The names that may be at the top of a container of an app or extension: its directories, and
  /// those that Apple's frameworks create. Nil if an app may create anything there.
  ///
  /// It may do so up to iOS 8, whose backups hold more than the usual directories: no source says that
  /// it may not.
  package var namesAtTop: [String]? {
    guard backup.roots.value != nil else { return nil }
    return ["Documents", "Library", "tmp", "CloudKit", "GeoJSON", "StoreKit", "SystemData"]
  }
}
