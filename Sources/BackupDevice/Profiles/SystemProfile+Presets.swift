import BackupFileTree

extension SystemProfile {
  /// All presets, the oldest first.
  public static let all: [SystemProfile] = [
    .iOS5_0, .iOS5_0_1, .beforeIOS8("5.1"),
    .beforeIOS8("6"), .beforeIOS8("7"), .beforeIOS9("8"),
    .fromIOS9("9"), .fromIOS9("10"), .fromIOS9("11"), .fromIOS9("12"), .fromIOS9("13"),
    .fromIOS9("14"),
    .fromIOS9("15"), .fromIOS9("16"), .fromIOS9("17"), .fromIOS9("18"), .fromIOS9("26"),
    .fromIOS9("27"),
  ].compactMap(\.self)

  /// The profile of the newest version of iOS that the kit knows.
  public static var newest: SystemProfile? { all.last }

  /// Returns the newest preset up to a version, or nil if all presets are later.
  package static func newest(upTo version: SystemVersion) -> SystemProfile? {
    all.filter { $0.version <= version }.max { $0.version < $1.version }
  }

  /// Creates the preset of a version, or returns nil if the version has no preset.
  ///
  /// For a version without a preset, ``named(_:)`` throws an error that suggests other versions.
  ///
  /// - Parameter version: A version as in ``SystemVersion/init(_:)``: `"5.0.1"`, `"26"`.
  public init?(version: String) {
    guard let version = SystemVersion(version),
      let profile = Self.all.first(where: { $0.version == version })
    else { return nil }
    self = profile
  }

  /// Returns the profile of iOS 9 or later: apps set the resource value as a mark, and purges empty
  /// whole directories.
  private static func fromIOS9(_ version: String) -> SystemProfile? {
    guard let version = SystemVersion(version) else { return nil }
    let evidenceSince14 = evidence(for: version, seenFrom: "14")
    return SystemProfile(
      version: version,
      honouredMarks: Sourced(.resourceValue, .documented, from: .appleResourceKey, .appleQA1719),
      availableMarks: Sourced(
        [.resourceValue, .extendedAttribute], .documented, from: .appleQA1719),
      deprecatedMarks: Sourced(.extendedAttribute, .documented, from: .appleQA1719),
      backup: appBackupPolicy(evidenceSince14),
      extensionBackup: extensionBackupPolicy(evidenceSince14),
      groupBackup: groupBackupPolicy(evidenceSince14),
      purge: directoryPurgePolicy(evidence(for: version, seenFrom: "18", to: "26")),
      groupPurge: groupDirectoryPurgePolicy(evidence(for: version, seenFrom: "18", to: "26")),
      webViewStorage: Sourced(
        paths("Library/WebKit"), evidence(for: version, seenFrom: "14", to: "17"),
        from: .webViewLosses),
      update: updatePolicy(evidenceSince14), updateKeepsGroups: Sourced(true, .unverified),
      offload: offloadPolicy,
      keychain: keychainPolicy(evidenceSince14),
      lock: lockPolicy(hidesUserDefaults: evidence(for: version, seenFrom: "15")),
      transfer: Sourced(.local, .unverified),
      bundleIsInContainer: Sourced(false, evidenceSince14, from: .observed))
  }

  /// Returns `observed` if a version is in the range in which a fact was seen, else `unverified`.
  private static func evidence(
    for version: SystemVersion, seenFrom first: String, to last: String = "27"
  ) -> Evidence {
    guard let first = SystemVersion(first), let last = SystemVersion(last) else {
      return .unverified
    }
    return (first...last).contains(version) ? .observed : .unverified
  }

  /// Returns the profile of iOS 8: purges delete single files, but spare marked ones; backups hold
  /// the whole container.
  private static func beforeIOS9(_ version: String) -> SystemProfile? {
    guard var profile = fromIOS9(version) else { return nil }
    profile.purge = filePurgePolicy(sparesMarked: true)
    profile.groupPurge = groupFilePurgePolicy(sparesMarked: true)
    profile.backup.roots = Sourced(nil, .documented, from: .appleGuidelines2011)
    profile.extensionBackup.roots = Sourced(nil, .unverified)
    return profile
  }

  /// Returns the profile of iOS 5.1 to 7: the app's bundle is also in the container. The profiles
  /// of iOS 5.0 and 5.0.1 are changed copies of this profile.
  private static func beforeIOS8(_ version: String) -> SystemProfile? {
    guard var profile = beforeIOS9(version) else { return nil }
    profile.bundleIsInContainer = Sourced(true, .documented, from: .appleFSPG)
    profile.lock.defaultProtection = Sourced(.untilFirstUnlock, .unverified)
    // `WKWebView` came with iOS 8.
    profile.webViewStorage = Sourced([], .unverified)
    return profile
  }

  /// The profile of iOS 5.0.1: the mark is the extended attribute.
  private static var iOS5_0_1: SystemProfile? {
    guard var profile = beforeIOS8("5.0.1") else { return nil }
    profile.honouredMarks = Sourced(.extendedAttribute, .documented, from: .appleQA1719)
    profile.availableMarks = Sourced(.extendedAttribute, .documented, from: .appleQA1719)
    profile.deprecatedMarks = Sourced([], .documented, from: .appleQA1719)
    return profile
  }

  /// The profile of iOS 5.0: no mark has an effect. The extended attribute can be stored, and takes
  /// effect after an update of the system.
  private static var iOS5_0: SystemProfile? {
    guard var profile = beforeIOS8("5.0") else { return nil }
    profile.honouredMarks = Sourced([], .documented, from: .appleQA1719)
    profile.availableMarks = Sourced(.extendedAttribute, .documented, from: .appleGuidelines2011)
    profile.deprecatedMarks = Sourced([], .documented, from: .appleQA1719)
    profile.purge = filePurgePolicy(sparesMarked: false)
    profile.groupPurge = groupFilePurgePolicy(sparesMarked: false)
    return profile
  }

  /// Returns the policy for backups of the app's own container. `evidence` is `observed` if the
  /// observed facts were seen in this version of iOS, or else `unverified`.
  private static func appBackupPolicy(_ evidence: Evidence) -> BackupPolicy {
    BackupPolicy(
      roots: Sourced(
        paths("Documents", "Library", "GeoJSON"), evidence, from: .observed),
      locations: [.caches, .temporary].map { (place: ContainerPath.StandardLocation) in
        Sourced(place.path, .documented, from: .appleOptimizing, .appleQA1719)
      },
      systemManaged: systemManagedPaths.map { Sourced($0, evidence, from: .observed) },
      remnants: Sourced(RemnantPattern.allCases, evidence, from: .observed),
      storesDatabasesWhole: Sourced(true, evidence, from: .observed),
      skippedPathLength: Sourced(998, evidence, from: .observed),
      containerPathLength: Sourced(
        containerPathLength(in: "Data/Application"), evidence, from: .observed))
  }

  /// Returns the policy for backups of an extension's container. Such a backup holds
  /// the same items as a backup of the app's own container.
  private static func extensionBackupPolicy(_ evidence: Evidence) -> BackupPolicy {
    var policy = appBackupPolicy(evidence)
    policy.containerPathLength = Sourced(
      containerPathLength(in: "Data/PluginKitPlugin"), evidence, from: .observed)
    return policy
  }

  /// Returns the policy for backups of a group container. Such a backup holds all items,
  /// even tmp, except Library/Caches and the places that the system manages. At the top of
  /// a group container, the system manages only hidden files, and not directories such as
  /// `StoreKit`.
  private static func groupBackupPolicy(_ evidence: Evidence) -> BackupPolicy {
    var policy = appBackupPolicy(evidence)
    policy.roots = Sourced(nil, evidence, from: .observed)
    policy.containerPathLength = Sourced(
      containerPathLength(in: "Shared/AppGroup"), evidence, from: .observed)
    policy.locations = [
      Sourced(ContainerPath.StandardLocation.caches.path, evidence, from: .observed)
    ]
    policy.systemManaged = policy.systemManaged.filter {
      $0.value.parent != nil || $0.value.bytes.first == UInt8(ascii: ".")
    }
    return policy
  }

  private static var systemManagedPaths: [ContainerPath] {
    paths(
      "Library/SyncedPreferences", "Library/Saved Application State", "Library/SplashBoard",
      "SystemData", "StoreKit", "CloudKit", ".com.apple.mobile_container_manager.metadata.plist")
  }

  /// Returns the length in bytes of a container's path on a device, with a `/` at the end. `folder`
  /// is the folder of all containers of a kind, for example `Data/Application`.
  private static func containerPathLength(in folder: String) -> Int {
    "/private/var/mobile/Containers/\(folder)/00000000-0000-0000-0000-000000000000/".utf8.count
  }

  /// Returns the policy for purges from iOS 9. A purge replaces whole directories with
  /// empty ones: Library/Caches if storage is low; also tmp if storage is critically low, or while
  /// the app does not run.
  private static func directoryPurgePolicy(_ evidence: Evidence) -> PurgePolicy {
    let (caches, temporary) = (
      ContainerPath.StandardLocation.caches.path, ContainerPath.StandardLocation.temporary.path
    )
    return PurgePolicy(
      idle: Sourced([caches, temporary], .documented, from: .appleFileSystem, .appleOptimizing),
      lowStorage: Sourced([caches], .documented, from: .appleFSPG),
      criticalStorage: Sourced(
        [caches, temporary], evidence, from: .observed, .appleGuidelines2011),
      unit: Sourced(.wholeDirectory, .documented, from: .appleFSPG, .observed),
      sparesMarked: Sourced(false, evidence, from: .observed, .appleOptimizing))
  }

  /// Returns the policy for purges before iOS 9: the system deletes single files.
  private static func filePurgePolicy(sparesMarked: Bool) -> PurgePolicy {
    var policy = directoryPurgePolicy(.unverified)
    policy.unit = Sourced(.singleFiles, .unverified)
    policy.sparesMarked = Sourced(sparesMarked, .documented, from: .appleGuidelines2011)
    return policy
  }

  /// Returns the policy for purges of a group container from iOS 9: the system may
  /// empty the group's Library/Caches in the same situations as the app's.
  private static func groupDirectoryPurgePolicy(_ evidence: Evidence) -> PurgePolicy {
    let caches = [ContainerPath.StandardLocation.caches.path]
    return PurgePolicy(
      idle: Sourced(caches, .unverified),
      lowStorage: Sourced(caches, evidence, from: .observed),
      criticalStorage: Sourced(caches, evidence, from: .observed),
      unit: Sourced(.wholeDirectory, evidence, from: .observed),
      sparesMarked: Sourced(false, evidence, from: .observed))
  }

  /// Returns the policy for purges of a group container before iOS 9: the system deletes single
  /// files in Library/Caches.
  private static func groupFilePurgePolicy(sparesMarked: Bool) -> PurgePolicy {
    var policy = groupDirectoryPurgePolicy(.unverified)
    policy.unit = Sourced(.singleFiles, .unverified)
    policy.sparesMarked = Sourced(sparesMarked, .unverified)
    return policy
  }

  /// Returns the policy for updates and restores, the same for every version. `evidence` is the
  /// evidence for the directories that a restore leaves empty.
  private static func updatePolicy(_ evidence: Evidence) -> UpdatePolicy {
    let keptDirectories: [ContainerPath.StandardLocation] = [.documents, .library]
    return UpdatePolicy(
      carriedOver: Sourced(keptDirectories.map(\.path), .documented, from: .appleAppGuide),
      mayBeLost: Sourced([ContainerPath.StandardLocation.caches.path], .unverified),
      neverRestored: Sourced(
        paths("Library/SplashBoard", "Library/Saved Application State"), evidence,
        from: .observed))
  }

  /// The policy for an offload, the same for every version.
  private static var offloadPolicy: OffloadPolicy {
    let keptDirectories: [ContainerPath.StandardLocation] = [.documents, .library]
    return OffloadPolicy(
      kept: Sourced(keptDirectories.map(\.path), .documented, from: .appleOffload),
      lost: Sourced([ContainerPath.StandardLocation.caches.path], .unverified))
  }

  /// Returns the policy for keychain items, the same for every version. `evidence` is the evidence
  /// that items survive a deletion of the app.
  private static func keychainPolicy(_ evidence: Evidence) -> KeychainPolicy {
    KeychainPolicy(
      outlivesDeletion: Sourced(true, evidence, from: .observed),
      outlivesRestore: Sourced(true, .documented, from: .applePlatformSecurity),
      reachesNewDevice: Sourced(false, .documented, from: .appleKeychain, .applePlatformSecurity),
      bringingOrdinaryItems: Sourced([.localEncrypted], .documented, from: .applePlatformSecurity))
  }

  /// Returns the policy for a locked device. `evidence` is the evidence that user defaults read as
  /// empty before the first unlock.
  private static func lockPolicy(hidesUserDefaults evidence: Evidence) -> LockPolicy {
    LockPolicy(
      defaultProtection: Sourced(.untilFirstUnlock, .documented, from: .applePlatformSecurity),
      hidesUserDefaults: evidence == .observed
        ? Sourced(true, .observed, from: .lockedDefaults) : Sourced(true, .unverified))
  }

  /// Creates paths from texts that are known to be valid.
  private static func paths(_ texts: String...) -> [ContainerPath] {
    texts.compactMap { ContainerPath(ifValid: $0) }
  }
}
