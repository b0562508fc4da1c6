package import BackupDevice
package import BackupFileTree
package import BackupScenarios

extension DataClass {
  /// The meaning of the class, in a few words.
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

  /// Returns the directory for data of the class; nil for a class that does not belong on disk.
  package func place(on profile: SystemProfile) -> ContainerPath.StandardLocation? {
    switch self {
    case .critical: .documents
    case .support, .offline: profile.honouredMarks.value.isEmpty ? .caches : .applicationSupport
    case .cached: .caches
    case .temporary: .temporary
    case .secret: nil
    }
  }

  /// Returns the mark that the app must set after each save; empty for a class that needs no mark.
  package func requiredMark(on profile: SystemProfile) -> ExclusionMark {
    switch self {
    case .support, .offline: profile.markToSet
    case .critical, .cached, .temporary, .secret: []
    }
  }

  /// Returns true if data of the class does not belong at a path, even with a mark. Returns false
  /// in directories where the system puts items.
  func isMisplaced(_ path: ContainerPath, on profile: SystemProfile) -> Bool {
    let needsOtherDirectory =
      switch self {
      case .cached, .temporary: !profile.mayPurge(path)
      case .support: path.location == .documents
      case .critical, .offline, .secret: false
      }
    return needsOtherDirectory && !path.isInInbox && !path.isInSystemDirectory
      && !profile.isSystemManaged(path)
  }

  /// Returns true if a mark can be right for a file of the class. The user's own data must be in
  /// backups. A mark does not reliably keep a secret out of backups. Misplaced data belongs
  /// elsewhere.
  func permitsMark(at path: ContainerPath, on profile: SystemProfile) -> Bool {
    switch self {
    case .support, .offline: true
    case .cached, .temporary: !isMisplaced(path, on: profile)
    case .critical, .secret: false
    }
  }

  static let keychainAdvice =
    "keep it in the keychain, for this device only (in a scenario, 'setKeychainItem'), or do not "
    + "store it; a mark does not keep it secret"

  /// The advice on a file of any class in Documents/Inbox. The system puts files there for the app
  /// to open. The app can read and delete these files, but not write to them (`apple-fspg`).
  static let inboxAdvice =
    "move it out of Documents/Inbox when it is opened, or delete it there when it is no longer "
    + "needed: the system put it there, and the app cannot write to it"

  /// Returns the advice on data of the class in a wrong directory. In a group's container, the
  /// system purges only Library/Caches.
  func placeAdvice(for path: ContainerPath, on profile: SystemProfile) -> String {
    switch self {
    case .critical where path.containerName?.isGroup == true:
      "keep it in the group's container outside of Library/Caches"
    case .critical: "keep it in Documents or Library/Application Support"
    case .support, .offline:
      profile.honouredMarks.value.isEmpty
        ? "keep it in Library/Caches on this system, which has no mark"
        : "keep it in Library/Application Support, and mark it with \(profile.markToSet.nameInAdvice)"
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
  /// Returns true if an item is, or is in, a directory that the system keeps for itself.
  func isSystemManaged(_ path: ContainerPath) -> Bool {
    guard let pathInContainer = path.pathWithoutContainerName else { return false }
    return backupPolicy(for: ContainerKind(of: path)).systemManaged.contains {
      $0.value.covers(pathInContainer)
    }
  }

  /// The mark that apps must set under this version of iOS. Under iOS 5.0, it is the extended
  /// attribute, which takes effect after an update to 5.0.1 (`apple-guidelines-2011`).
  package var markToSet: ExclusionMark {
    honouredMarks.value.isEmpty ? availableMarks.value : honouredMarks.value
  }

  /// Returns the directories of a container that the worst purge takes. Nil stands for the app's
  /// own container.
  func purgeablePlaces(in containerName: ContainerPath.Component?) -> [ContainerPath] {
    purgePolicy(for: ContainerKind(containerName)).criticalStorage.value.map {
      ContainerPath($0, inContainer: containerName)
    }
  }
}

extension ExclusionMark {
  /// The name of the mark in advice, after the word `set`.
  package var nameInAdvice: String {
    contains(.resourceValue) ? "isExcludedFromBackup" : "the attribute com.apple.MobileBackup"
  }
}

/// The directories directly in Library that only the system or Apple's frameworks create and fill.
private let systemDirectories: Set<String> = [
  "Application Scripts", "Assistant", "Cookies", "HTTPStorages", "Saved Application State",
  "SplashBoard", "SyncedPreferences", "WebKit",
]

extension ContainerPath {
  /// True if the item is, or is in, one of the system's directories in Library.
  package var isInSystemDirectory: Bool {
    guard let folders = pathWithoutContainerName?.components.prefix(2) else { return false }
    return folders.first == ContainerPath.StandardLocation.library.path.name
      && folders.dropFirst().first.map { systemDirectories.contains($0.string) } == true
  }
}
