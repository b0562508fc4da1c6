internal import BackupFileTree

extension BackupPolicy {
  /// The app's own container; the observed parts are as sure as said.
  static func appContainer(_ observed: Evidence) -> BackupPolicy {
    BackupPolicy(
      roots: Sourced(paths("Documents", "Library", "GeoJSON"), observed, .observed, .eidinger),
      locations: [
        Sourced(StandardLocation.caches.path, .documented, .appleOptimizing, .appleQA1719),
        Sourced(StandardLocation.temporary.path, .documented, .appleOptimizing, .appleQA1719),
      ],
      systemManaged: systemManaged(observed),
      remnants: Sourced(RemnantPattern.allCases, observed, .observed),
      storesDatabasesWhole: Sourced(true, observed, .observed),
      skippedPathLength: Sourced(998, observed, .observed),
      containerPathLength: Sourced(length(of: "Data/Application"), observed, .observed))
  }

  /// A group container: everything but the same list; its tmp is in.
  static func groupContainer(_ observed: Evidence) -> BackupPolicy {
    var policy = appContainer(observed)
    policy.roots = Sourced(nil, observed, .observed)
    policy.containerPathLength = Sourced(length(of: "Shared/AppGroup"), observed, .observed)
    policy.locations = [Sourced(StandardLocation.caches.path, observed, .observed)]
    policy.systemManaged = policy.systemManaged.filter {
      $0.value.parent != nil || $0.value.bytes.first == UInt8(ascii: ".")
    }
    return policy
  }

  /// What the system keeps for itself.
  private static func systemManaged(_ observed: Evidence) -> [Sourced<ContainerPath>] {
    paths(
      "Library/SyncedPreferences", "Library/Saved Application State", "Library/SplashBoard",
      "SystemData", "StoreKit", "CloudKit", ".com.apple.mobile_container_manager.metadata.plist"
    ).map { Sourced($0, observed, .observed) }
  }

  /// How many bytes a container's path on a device has, with any UUID and the `/` after it.
  private static func length(of kind: String) -> Int {
    "/private/var/mobile/Containers/\(kind)/00000000-0000-0000-0000-000000000000/".utf8.count
  }
}

extension PurgePolicy {
  /// From iOS 9 on: Library/Caches is renamed away and made anew; tmp too at the highest urgency.
  static func wholeDirectories(_ observed: Evidence) -> PurgePolicy {
    PurgePolicy(
      lowStorage: Sourced([StandardLocation.caches.path], .documented, .appleOptimizing),
      criticalStorage: Sourced(
        [StandardLocation.caches.path, StandardLocation.temporary.path], observed, .observed,
        .appleGuidelines2011),
      unit: Sourced(.wholeDirectory, observed, .observed),
      sparesMarked: Sourced(false, observed, .observed, .appleOptimizing))
  }

  /// Before: file by file.
  static func singleFiles(sparesMarked: Bool) -> PurgePolicy {
    var policy = wholeDirectories(.unverified)
    policy.unit = Sourced(.singleFiles, .unverified)
    policy.sparesMarked = Sourced(sparesMarked, .documented, .appleGuidelines2011)
    return policy
  }
}

extension UpdatePolicy {
  /// The same in every era; what is not restored is as sure as said.
  static func standard(_ observed: Evidence) -> UpdatePolicy {
    UpdatePolicy(
      carriedOver: Sourced(
        [StandardLocation.documents.path, StandardLocation.library.path], .documented, .appleFSPG),
      neverRestored: Sourced(
        paths("Library/SplashBoard", "Library/Saved Application State"), observed, .observed))
  }
}

/// Paths that are known to be right.
private func paths(_ names: String...) -> [ContainerPath] {
  names.compactMap { try? ContainerPath($0) }
}
