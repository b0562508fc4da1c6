package import BackupDevice
package import BackupFileTree
package import BackupScenarios

extension DataClass {
  /// What data of the class is, in a few words.
  package var meaning: String {
    switch self {
    case .critical: "the user's own; cannot be created again"
    case .support: "needed to run; can be downloaded or created again"
    case .offline: "wanted without a network; can be downloaded again"
    case .cached: "only saves time"
    case .temporary: "useless after the current task"
    case .secret: "must not leave the device: a password, a key, a token"
    }
  }

  /// The directory that data of the class belongs in under a system; nil for what does not belong
  /// on disk.
  package func place(on profile: SystemProfile) -> ContainerPath.StandardLocation? {
    switch self {
    case .critical: .documents
    case .support, .offline: profile.honouredMarks.value.isEmpty ? .caches : .applicationSupport
    case .cached: .caches
    case .temporary: .temporary
    case .secret: nil
    }
  }

  /// The mark to set after each save, which keeps data of the class out of backups; empty for what
  /// is not marked.
  package func mark(on profile: SystemProfile) -> ExclusionMark {
    switch self {
    case .support, .offline: profile.markToSet
    case .critical, .cached, .temporary, .secret: []
    }
  }

  /// Whether data of the class does not belong where it is, marked or not; what the system puts
  /// somewhere is not the app's doing.
  func isMisplaced(_ path: ContainerPath, on profile: SystemProfile) -> Bool {
    let isOutOfPlace =
      switch self {
      case .cached, .temporary: !profile.mayPurge(path)
      case .support: path.location == .documents
      case .critical, .offline, .secret: false
      }
    return isOutOfPlace && !path.isInInbox && !path.isInSystemDirectory
      && !profile.isSystemManaged(path)
  }

  /// Whether a mark can be what a file of the class lacks. The user's own data must be in backups,
  /// a mark does not reliably keep a secret out, and what only saves time belongs elsewhere.
  func isHelpedByMark(at path: ContainerPath, on profile: SystemProfile) -> Bool {
    switch self {
    case .support, .offline: true
    case .cached, .temporary: !isMisplaced(path, on: profile)
    case .critical, .secret: false
    }
  }

  static let keychainAdvice =
    "keep it in the keychain, for this device only (in a scenario, 'setKeychainItem'), or do not "
    + "store it; a mark does not keep it secret"

  /// What to do with a file in Documents/Inbox that belongs somewhere else, whatever its class: the
  /// system puts files there that the app is asked to open, which can read and delete them but not
  /// write to them (`apple-fspg`).
  static let inboxAdvice =
    "move it out of Documents/Inbox when it is opened, or delete it there when it is no longer "
    + "needed: the system put it there, and the app cannot write to it"

  /// What to do with data of the class that is not where it belongs under a system: in a group's
  /// container only Library/Caches is the system's.
  func placeAdvice(for path: ContainerPath, on profile: SystemProfile) -> String {
    switch self {
    case .critical where path.containerName?.isGroup == true:
      "keep it in the group's container outside of Library/Caches"
    case .critical: "keep it in Documents or Library/Application Support"
    case .support, .offline:
      profile.honouredMarks.value.isEmpty
        ? "keep it in Library/Caches on this system, which has no mark"
        : "keep it in Library/Application Support, and mark it with \(profile.markToSet.wayToSet)"
    case .cached: "keep it in Library/Caches"
    // A group's container has no tmp that iOS empties.
    case .temporary where path.containerName?.isGroup == true:
      "keep it in the group's Library/Caches, and delete it when done"
    case .temporary: "keep it in tmp, and delete it when done"
    case .secret: Self.keychainAdvice
    }
  }
}

extension SystemProfile {
  /// Whether an item is, or is in, a place that the system keeps for itself in its container.
  func isSystemManaged(_ path: ContainerPath) -> Bool {
    guard let inner = path.pathInContainer else { return false }
    return backupPolicy(for: ContainerKind(of: path)).systemManaged.contains {
      $0.value.covers(inner)
    }
  }

  /// The mark to set under the system. Under iOS 5.0 it is the attribute, which counts once the
  /// device has 5.0.1 (`apple-guidelines-2011`).
  package var markToSet: ExclusionMark {
    honouredMarks.value.isEmpty ? availableMarks.value : honouredMarks.value
  }

  /// The directories of a container, the app's own for nil, that the worst purge takes.
  func purgeablePlaces(in name: ContainerPath.Component?) -> [ContainerPath] {
    purgePolicy(for: ContainerKind(name)).criticalStorage.value.map {
      ContainerPath($0, inContainer: name)
    }
  }
}

extension ExclusionMark {
  package var wayToSet: String {
    contains(.resourceValue) ? "isExcludedFromBackup" : "the attribute com.apple.MobileBackup"
  }
}

/// The directories right in Library that the system, or a framework of Apple's, makes and fills; an app
/// puts nothing into them itself.
private let systemDirectories: Set<String> = [
  "Application Scripts", "Assistant", "Cookies", "HTTPStorages", "Saved Application State",
  "SplashBoard", "SyncedPreferences", "WebKit",
]

extension ContainerPath {
  /// Whether the item is a directory of the system's in Library, or in one.
  package var isInSystemDirectory: Bool {
    guard let folders = pathInContainer?.components.prefix(2) else { return false }
    return folders.first == ContainerPath.StandardLocation.library.path.name
      && folders.dropFirst().first.map { systemDirectories.contains($0.string) } == true
  }
}
