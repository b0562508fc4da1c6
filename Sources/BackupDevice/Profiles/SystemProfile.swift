public import BackupCollections
public import BackupFileTree

/// The behavior of one version of iOS toward an app's files, as data with evidence.
///
/// Simulators read the profile, so they need no branches for versions.
///
/// ```swift
/// let profile = try SystemProfile.named("5.0.1")
/// profile.honouredMarks.value  // .extendedAttribute
/// ```
public struct SystemProfile: Hashable, Sendable {
  /// The way in which a system treats the marks that apps set.
  @nonexhaustive
  public enum Guidance: String, CaseIterable, Hashable, Sendable {
    /// The system leaves marked items out of backups, as it nearly always does.
    case honoured
    /// The system backs up marked items. This is possible, because a mark is guidance, not a
    /// guarantee (`apple-optimizing`).
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
  /// The directories in which web views store the data of websites, in the app's own container and
  /// in an extension's. WebKit or iOS may delete this data, but no purge of the kit does.
  public var webViewStorage: Sourced<[ContainerPath]>
  /// The policy for updates and restores.
  @Boxed public var update: UpdatePolicy
  /// A Boolean value that indicates whether an update of the app keeps the contents of group
  /// containers, which other apps may share. Only the path of such a container changes.
  public var updateKeepsGroups: Sourced<Bool>
  /// The policy for an offload of the app.
  @Boxed public var offload: OffloadPolicy
  /// The policy for keychain items.
  @Boxed public var keychain: KeychainPolicy
  /// The policy for a locked device.
  @Boxed package var lock: LockPolicy
  /// The kind of backup that has the same rules as a transfer from device to device.
  public var transfer: Sourced<BackupKind>
  /// A Boolean value that indicates whether the app's bundle is inside its container.
  public var bundleIsInContainer: Sourced<Bool>
  /// The way in which the system treats marks.
  public var guidance: Guidance = .honoured

  /// Hashes only the version, which nearly always distinguishes two profiles.
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

  /// Returns whether the system may purge the item at this path while the app does not run. The
  /// answer is also true if the system purges the item only when storage is critically low.
  public func mayPurge(_ path: ContainerPath) -> Bool {
    guard let relativePath = path.pathWithoutContainerName else { return false }
    let policy = purgePolicy(for: ContainerKind(of: path))
    return policy.criticalStorage.value.contains { $0.covers(relativePath) }
  }

  /// Returns whether the item at this path is data of a web view, which WebKit or iOS may delete.
  package func isWebViewData(_ path: ContainerPath) -> Bool {
    guard ContainerKind(of: path) != .appGroup, let relativePath = path.pathWithoutContainerName
    else {
      return false
    }
    return webViewStorage.value.contains { $0.covers(relativePath) }
  }

  /// The marks that keep an item out of backups. Empty if the system ignores marks.
  public var effectiveMarks: ExclusionMark { guidance == .honoured ? honouredMarks.value : [] }

  /// Returns the layout of the container of a newly installed app.
  ///
  /// - Parameter bundleIdentifier: The app's identifier. If the container has the app's bundle, the
  ///   identifier's last part is the bundle's name.
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

    /// Creates the kind of the container with this name in a tree; nil is the app's own container.
    package init(_ name: ContainerPath.Component?) {
      self = name.map { $0.isGroup ? .appGroup : .appExtension } ?? .app
    }

    /// Creates the kind of the container at this path or around it. For example, `group.x:` and
    /// `group.x:/a` are in a group.
    package init(of path: ContainerPath) {
      self.init(path.containerName)
    }

    /// The layout of a new container of this kind, without the app's bundle.
    var layout: FileTree.Layout {
      switch self {
      case .app, .appExtension: .newlyInstalled
      case .appGroup: .newGroup
      }
    }
  }

  /// The kind of a device's backups: their destination, and whether they are encrypted.
  @nonexhaustive
  public enum BackupKind: String, CaseIterable, Hashable, Sendable {
    /// To iCloud, whose space the user pays for.
    case iCloud
    case local
    case localEncrypted = "local-encrypted"
    /// To iCloud, but the user has switched off the app's backup, so it holds nothing of the app
    /// (`apple-fspg`). The switch has no effect on backups to a computer.
    case off
  }

  /// Returns whether a device lets no app create or write the item. This is the case in
  /// Documents/Inbox, where the system puts files for the app to open (`apple-fspg`). At the top of
  /// an app's or extension's container, only ``topLevelNames`` are allowed.
  package func refusesWriting(_ path: ContainerPath) -> Bool {
    if path.isInInbox { return true }
    guard let topLevelNames, path.containerName?.isGroup != true,
      let relativePath = path.pathWithoutContainerName
    else { return false }
    return relativePath.parent == nil && !topLevelNames.contains(relativePath.name.string)
  }

  /// The names that may be at the top of the container of an app or extension, or nil if any name
  /// may be there.
  ///
  /// The names are those of the usual directories, and those that Apple's frameworks create. Up to
  /// iOS 8, any name may be there, because backups hold the whole container and no source forbids
  /// an app to create other items.
  package var topLevelNames: [String]? {
    guard backup.roots.value != nil else { return nil }
    return ["Documents", "Library", "tmp", "CloudKit", "GeoJSON", "StoreKit", "SystemData"]
  }
}
