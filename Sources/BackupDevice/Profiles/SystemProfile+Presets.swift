import BackupFileTree

extension SystemProfile {
  /// All presets, the oldest first.
  public static let all: [SystemProfile] = [
    .iOS5_0, .iOS5_0_1, .before8("5.1"),
    .before8("6"), .before8("7"), .before9("8"),
    .current("9"), .current("10"), .current("11"), .current("12"), .current("13"), .current("14"),
    .current("15"), .current("16"), .current("17"), .current("18"), .current("26"), .current("27"),
  ].compactMap(\.self)

  /// The profile of the newest version of iOS that the kit knows.
  public static var newest: SystemProfile? { all.last }

  /// Returns the newest preset that is not later than a version, for example a device's, or nil if
  /// all presets are later.
  package static func newest(upTo version: SystemVersion) -> SystemProfile? {
    all.filter { $0.version <= version }.max { $0.version < $1.version }
  }

  /// Creates the preset of a version, or returns nil if the version has no preset.
  ///
  /// ``named(_:)`` says instead which versions are near.
  ///
  /// - Parameter version: A version as in ``SystemVersion/init(_:)``: `"5.0.1"`, `"26"`.
  public init?(version: String) {
    guard let version = SystemVersion(version),
      let profile = Self.all.first(where: { $0.version == version })
    else { return nil }
    self = profile
  }

  /// iOS 9 and later: the resource value is the mark; whole directories are purged.
  private static func current(_ version: String) -> SystemProfile? {
    guard let version = SystemVersion(version) else { return nil }
    let observed = evidence(for: version, seenFrom: "14")
    return SystemProfile(
      version: version,
      honouredMarks: Sourced(.resourceValue, .documented, from: .appleResourceKey, .appleQA1719),
      availableMarks: Sourced(
        [.resourceValue, .extendedAttribute], .documented, from: .appleQA1719),
      deprecatedMarks: Sourced(.extendedAttribute, .documented, from: .appleQA1719),
      backup: appContainer(observed),
      extensionBackup: extensionContainer(observed),
      groupBackup: groupContainer(observed),
      purge: wholeDirectories(evidence(for: version, seenFrom: "18", to: "26")),
      groupPurge: groupCaches(evidence(for: version, seenFrom: "18", to: "26")),
      webViewStorage: Sourced(
        paths("Library/WebKit"), evidence(for: version, seenFrom: "14", to: "17"),
        from: .webViewLosses),
      update: update(observed), updateKeepsGroups: Sourced(true, .unverified), offload: offload,
      keychain: keychain(observed),
      lock: lock(hidesDefaults: evidence(for: version, seenFrom: "15")),
      transfer: Sourced(.local, .unverified),
      bundleIsInContainer: Sourced(false, observed, from: .observed))
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

  /// iOS 8: single files are purged, marked ones are spared; backups hold the whole container.
  private static func before9(_ version: String) -> SystemProfile? {
    guard var profile = current(version) else { return nil }
    profile.purge = singleFiles(sparesMarked: true)
    profile.groupPurge = groupFiles(sparesMarked: true)
    profile.backup.roots = Sourced(nil, .documented, from: .appleGuidelines2011)
    profile.extensionBackup.roots = Sourced(nil, .unverified)
    return profile
  }

  /// iOS 6 and 7: the bundle is in the container too.
  private static func before8(_ version: String) -> SystemProfile? {
    guard var profile = before9(version) else { return nil }
    profile.bundleIsInContainer = Sourced(true, .documented, from: .appleFSPG)
    profile.lock.usualProtection = Sourced(.untilFirstUnlock, .unverified)
    // `WKWebView` came with iOS 8.
    profile.webViewStorage = Sourced([], .unverified)
    return profile
  }

  /// iOS 5.0.1: the extended attribute is the mark.
  private static var iOS5_0_1: SystemProfile? {
    guard var profile = before8("5.0.1") else { return nil }
    profile.honouredMarks = Sourced(.extendedAttribute, .documented, from: .appleQA1719)
    profile.availableMarks = Sourced(.extendedAttribute, .documented, from: .appleQA1719)
    profile.deprecatedMarks = Sourced([], .documented, from: .appleQA1719)
    return profile
  }

  /// iOS 5.0: there is no mark. An attribute can be stored, and takes effect after a system update.
  private static var iOS5_0: SystemProfile? {
    guard var profile = before8("5.0") else { return nil }
    profile.honouredMarks = Sourced([], .documented, from: .appleQA1719)
    profile.availableMarks = Sourced(.extendedAttribute, .documented, from: .appleGuidelines2011)
    profile.deprecatedMarks = Sourced([], .documented, from: .appleQA1719)
    profile.purge = singleFiles(sparesMarked: false)
    profile.groupPurge = groupFiles(sparesMarked: false)
    return profile
  }

  /// Returns the policy for backups of the app's own container; `observed` is the evidence for
  /// observed facts.
  private static func appContainer(_ observed: Evidence) -> BackupPolicy {
    BackupPolicy(
      roots: Sourced(
        paths("Documents", "Library", "GeoJSON"), observed, from: .observed),
      locations: [.caches, .temporary].map { (place: ContainerPath.StandardLocation) in
        Sourced(place.path, .documented, from: .appleOptimizing, .appleQA1719)
      },
      systemManaged: systemManaged.map { Sourced($0, observed, from: .observed) },
      remnants: Sourced(RemnantPattern.allCases, observed, from: .observed),
      storesDatabasesWhole: Sourced(true, observed, from: .observed),
      skippedPathLength: Sourced(998, observed, from: .observed),
      containerPathLength: Sourced(length(of: "Data/Application"), observed, from: .observed))
  }

  /// Returns the policy for backups of an extension's container, which holds the same as an app's.
  private static func extensionContainer(_ observed: Evidence) -> BackupPolicy {
    var policy = appContainer(observed)
    policy.containerPathLength = Sourced(
      length(of: "Data/PluginKitPlugin"), observed, from: .observed)
    return policy
  }

  /// Returns the policy for backups of a group container, which hold everything, tmp included,
  /// except Library/Caches and system-managed places.
  private static func groupContainer(_ observed: Evidence) -> BackupPolicy {
    var policy = appContainer(observed)
    policy.roots = Sourced(nil, observed, from: .observed)
    policy.containerPathLength = Sourced(
      length(of: "Shared/AppGroup"), observed, from: .observed)
    policy.locations = [
      Sourced(ContainerPath.StandardLocation.caches.path, observed, from: .observed)
    ]
    policy.systemManaged = policy.systemManaged.filter {
      $0.value.parent != nil || $0.value.bytes.first == UInt8(ascii: ".")
    }
    return policy
  }

  private static var systemManaged: [ContainerPath] {
    paths(
      "Library/SyncedPreferences", "Library/Saved Application State", "Library/SplashBoard",
      "SystemData", "StoreKit", "CloudKit", ".com.apple.mobile_container_manager.metadata.plist")
  }

  /// Returns the number of bytes in a container's path on a device, with any UUID and the `/` after
  /// it.
  private static func length(of kind: String) -> Int {
    "/private/var/mobile/Containers/\(kind)/00000000-0000-0000-0000-000000000000/".utf8.count
  }

  /// From iOS 9: the system renames Library/Caches away and makes it again; at the highest urgency,
  /// tmp too.
  private static func wholeDirectories(_ observed: Evidence) -> PurgePolicy {
    let (caches, temporary) = (
      ContainerPath.StandardLocation.caches.path, ContainerPath.StandardLocation.temporary.path
    )
    return PurgePolicy(
      idle: Sourced([caches, temporary], .documented, from: .appleFileSystem, .appleOptimizing),
      lowStorage: Sourced([caches], .documented, from: .appleFSPG),
      criticalStorage: Sourced(
        [caches, temporary], observed, from: .observed, .appleGuidelines2011),
      unit: Sourced(.wholeDirectory, .documented, from: .appleFSPG, .observed),
      sparesMarked: Sourced(false, observed, from: .observed, .appleOptimizing))
  }

  /// Before iOS 9: the system takes single files.
  private static func singleFiles(sparesMarked: Bool) -> PurgePolicy {
    var policy = wholeDirectories(.unverified)
    policy.unit = Sourced(.singleFiles, .unverified)
    policy.sparesMarked = Sourced(sparesMarked, .documented, from: .appleGuidelines2011)
    return policy
  }

  /// Group containers from iOS 9: the system takes Library/Caches, whenever it may take an app's.
  private static func groupCaches(_ observed: Evidence) -> PurgePolicy {
    let caches = [ContainerPath.StandardLocation.caches.path]
    return PurgePolicy(
      idle: Sourced(caches, .unverified),
      lowStorage: Sourced(caches, observed, from: .observed),
      criticalStorage: Sourced(caches, observed, from: .observed),
      unit: Sourced(.wholeDirectory, observed, from: .observed),
      sparesMarked: Sourced(false, observed, from: .observed))
  }

  /// Group containers before iOS 9: the system takes single files in Library/Caches.
  private static func groupFiles(sparesMarked: Bool) -> PurgePolicy {
    var policy = groupCaches(.unverified)
    policy.unit = Sourced(.singleFiles, .unverified)
    policy.sparesMarked = Sourced(sparesMarked, .unverified)
    return policy
  }

  /// Returns the policy for updates, the same for every version; `observed` is the evidence for the
  /// directories that a restore leaves empty.
  private static func update(_ observed: Evidence) -> UpdatePolicy {
    let kept: [ContainerPath.StandardLocation] = [.documents, .library]
    return UpdatePolicy(
      carriedOver: Sourced(kept.map(\.path), .documented, from: .appleAppGuide),
      mayBeLost: Sourced([ContainerPath.StandardLocation.caches.path], .unverified),
      neverRestored: Sourced(
        paths("Library/SplashBoard", "Library/Saved Application State"), observed,
        from: .observed))
  }

  /// The policy for an offload, the same for every version.
  private static var offload: OffloadPolicy {
    let kept: [ContainerPath.StandardLocation] = [.documents, .library]
    return OffloadPolicy(
      kept: Sourced(kept.map(\.path), .documented, from: .appleOffload),
      lost: Sourced([ContainerPath.StandardLocation.caches.path], .unverified))
  }

  /// Returns the policy for keychain items, the same for every version; `observed` is the evidence
  /// for observed facts.
  private static func keychain(_ observed: Evidence) -> KeychainPolicy {
    KeychainPolicy(
      outlivesDeletion: Sourced(true, observed, from: .observed),
      outlivesRestore: Sourced(true, .documented, from: .applePlatformSecurity),
      reachesNewDevice: Sourced(false, .documented, from: .appleKeychain, .applePlatformSecurity),
      bringingOrdinaryItems: Sourced([.localEncrypted], .documented, from: .applePlatformSecurity))
  }

  /// Returns the policy for a locked device, with the evidence for user defaults that read as empty.
  private static func lock(hidesDefaults observed: Evidence) -> LockPolicy {
    LockPolicy(
      usualProtection: Sourced(.untilFirstUnlock, .documented, from: .applePlatformSecurity),
      hidesDefaults: observed == .observed
        ? Sourced(true, .observed, from: .lockedDefaults) : Sourced(true, .unverified))
  }

  /// Returns paths that are known to be valid.
  private static func paths(_ names: String...) -> [ContainerPath] {
    names.compactMap { ContainerPath(ifValid: $0) }
  }
}
