internal import BackupFileTree

extension SystemProfile.BackupPolicy {
  /// The app's own container; the observed parts are as sure as said.
  static func appContainer(_ observed: SystemProfile.Evidence) -> SystemProfile.BackupPolicy {
    SystemProfile.BackupPolicy(
      roots: SystemProfile.Sourced(
        paths("Documents", "Library", "GeoJSON"), observed, .observed, .eidinger),
      locations: [
        SystemProfile.Sourced(
          ContainerPath.StandardLocation.caches.path, .documented, .appleOptimizing, .appleQA1719),
        SystemProfile.Sourced(
          ContainerPath.StandardLocation.temporary.path, .documented, .appleOptimizing, .appleQA1719
        ),
      ],
      systemManaged: systemManaged(observed),
      remnants: SystemProfile.Sourced(SystemProfile.RemnantPattern.allCases, observed, .observed),
      storesDatabasesWhole: SystemProfile.Sourced(true, observed, .observed),
      skippedPathLength: SystemProfile.Sourced(998, observed, .observed),
      containerPathLength: SystemProfile.Sourced(
        length(of: "Data/Application"), observed, .observed))
  }

  /// A group container: everything but the same list; its tmp is in.
  static func groupContainer(_ observed: SystemProfile.Evidence) -> SystemProfile.BackupPolicy {
    var policy = appContainer(observed)
    policy.roots = SystemProfile.Sourced(nil, observed, .observed)
    policy.containerPathLength = SystemProfile.Sourced(
      length(of: "Shared/AppGroup"), observed, .observed)
    policy.locations = [
      SystemProfile.Sourced(ContainerPath.StandardLocation.caches.path, observed, .observed)
    ]
    policy.systemManaged = policy.systemManaged.filter {
      $0.value.parent != nil || $0.value.bytes.first == UInt8(ascii: ".")
    }
    return policy
  }

  /// What the system keeps for itself.
  private static func systemManaged(_ observed: SystemProfile.Evidence) -> [SystemProfile.Sourced<
    ContainerPath
  >] {
    paths(
      "Library/SyncedPreferences", "Library/Saved Application State", "Library/SplashBoard",
      "SystemData", "StoreKit", "CloudKit", ".com.apple.mobile_container_manager.metadata.plist"
    ).map { SystemProfile.Sourced($0, observed, .observed) }
  }

  /// How many bytes a container's path on a device has, with any UUID and the `/` after it.
  private static func length(of kind: String) -> Int {
    "/private/var/mobile/Containers/\(kind)/00000000-0000-0000-0000-000000000000/".utf8.count
  }
}

extension SystemProfile.PurgePolicy {
  /// From iOS 9 on: Library/Caches is renamed away and made anew; tmp too at the highest urgency.
  static func wholeDirectories(_ observed: SystemProfile.Evidence) -> SystemProfile.PurgePolicy {
    SystemProfile.PurgePolicy(
      lowStorage: SystemProfile.Sourced(
        [ContainerPath.StandardLocation.caches.path], .documented, .appleOptimizing),
      criticalStorage: SystemProfile.Sourced(
        [
          ContainerPath.StandardLocation.caches.path, ContainerPath.StandardLocation.temporary.path,
        ], observed, .observed,
        .appleGuidelines2011),
      unit: SystemProfile.Sourced(.wholeDirectory, observed, .observed),
      sparesMarked: SystemProfile.Sourced(false, observed, .observed, .appleOptimizing))
  }

  /// Before: file by file.
  static func singleFiles(sparesMarked: Bool) -> SystemProfile.PurgePolicy {
    var policy = wholeDirectories(.unverified)
    policy.unit = SystemProfile.Sourced(.singleFiles, .unverified)
    policy.sparesMarked = SystemProfile.Sourced(sparesMarked, .documented, .appleGuidelines2011)
    return policy
  }
}

extension SystemProfile.UpdatePolicy {
  /// The same in every era; what is not restored is as sure as said.
  static func standard(_ observed: SystemProfile.Evidence) -> SystemProfile.UpdatePolicy {
    SystemProfile.UpdatePolicy(
      carriedOver: SystemProfile.Sourced(
        [
          ContainerPath.StandardLocation.documents.path,
          ContainerPath.StandardLocation.library.path,
        ], .documented, .appleFSPG),
      neverRestored: SystemProfile.Sourced(
        paths("Library/SplashBoard", "Library/Saved Application State"), observed, .observed))
  }
}

/// Paths that are known to be right.
private func paths(_ names: String...) -> [ContainerPath] {
  names.compactMap { try? ContainerPath($0) }
}
