extension SystemProfile {
  /// What a statement about iOS is about.
  package enum Subject: String, CaseIterable, Hashable, Sendable {
    case layout = "new container"
    /// What a backup holds of each place.
    case backup
    /// Which items a mark keeps out, and how surely.
    case mark
    /// How and when an app sets a mark, and on what.
    case marking
    case markLoss = "loss of a mark"
    /// Which versions of iOS have which mark.
    case systems
    /// What the system deletes to make space.
    case purge
    /// What an update of the app carries over.
    case update
    case restore
    /// Which data belongs where.
    case place
    /// What an app must delete itself.
    case deletion
    /// How large backups are, and how long they take.
    case size
    /// When the system ends an app, and what that leaves of a save.
    case ending
    /// What must not be in a backup because it is confidential.
    case secrecy
  }
}

extension SystemProfile.Source {
  /// What the source says about a subject, in the kit's own words; nil if it says nothing.
  package func statement(on subject: SystemProfile.Subject) -> String? { statements[subject] }

  private var statements: [SystemProfile.Subject: String] {
    switch kind {
    case .page: pageStatements
    case .post: postStatements
    case .code: codeStatements
    case .device: deviceStatements
    }
  }

  private var pageStatements: [SystemProfile.Subject: String] {
    switch self {
    case .appleOptimizing: Self.optimizing
    case .appleResourceValue: Self.resourceValue
    case .appleQA1719: Self.qa1719
    case .appleGuidelines2011: Self.guidelines2011
    case .appleFSPG: Self.fileSystemGuide
    case .appleFileSystem: Self.fileSystem
    case .appleAppGuide:
      [
        .update: "Documents and Library come through an update; do not rely on the rest.",
        .ending: "An app can be ended at any time, a suspended one without a word.",
      ]
    case .appleGroupContainer: [.layout: "A group's container has Library and Library/Caches."]
    case .appleResourceKey:
      [
        .marking: "Set it each time a file is saved: common file operations reset it to false.",
        .systems: "It is there from iOS 5.1 on.",
      ]
    case .appleKeychain:
      [.secrecy: "An item for this device only is missing after a restore on another one."]
    case .appleOffload: [.update: "An offloaded app's documents and data are kept."]
    case .applePlatformSecurity:
      [
        .backup:
          "A file is backed up whatever its protection class; iCloud backs up while the device is locked.",
        .secrecy:
          "Each backup holds the keychain for the same device; for others only an encrypted one to a "
          + "computer does, without the items for one device only.",
      ]
    case .appleManagedApps:
      [.backup: "An organization can keep a managed app's data out of every backup."]
    case .applePurgeable: [.purge: "A file that is marked as purgeable may go to free space."]
    default: [:]
    }
  }

  private var postStatements: [SystemProfile.Subject: String] {
    switch self {
    case .appReview223: [.place: "Apps that break the data storage guidelines are rejected."]
    case .eidinger: Self.eidingerPost
    case .ios5BackupPost: Self.backupPost
    case .refusedWrites:
      [
        .place:
          "A device lets no app write right in its container, or in Documents/Inbox (error 513)."
      ]
    default: [:]
    }
  }

  private var codeStatements: [SystemProfile.Subject: String] {
    switch self {
    case .swiftFoundation:
      [
        .markLoss:
          "An atomic save renames a new file over the old one; other writes and moves keep the item.",
        .ending: "Until the rename an atomic save leaves the old file as it is.",
      ]
    case .appleCopyfile: [.markLoss: "Copies take the attributes along, the mark among them."]
    case .realmSwift: [.marking: "A database's siblings are marked when it is opened."]
    default: [:]
    }
  }

  private var deviceStatements: [SystemProfile.Subject: String] {
    switch self {
    case .deviceLog501:
      [
        .systems: "Under 5.0.1 the attribute kept a directory out, with all in it.",
        .backup: "Library/Caches was passed over.",
      ]
    case .observed: Self.seen
    default: [:]
    }
  }
}

extension SystemProfile.Source {
  private static let optimizing: [SystemProfile.Subject: String] = [
    .backup: "Library/Caches and tmp are not backed up.",
    .mark: "A mark is guidance: the system may back the item up all the same.",
    .marking: "Set it at each save, since common operations clear it, on directories too.",
    .purge: "Library/Caches and tmp are purged periodically.",
    .restore: "What was excluded can be downloaded again on a restored device.",
    .place: "What can be made again goes to Library/Caches and tmp; what must last does not.",
    .deletion: "Delete purgeable data as soon as it has served.",
    .size: "What is excluded makes backups smaller and faster.",
  ]

  private static let resourceValue: [SystemProfile.Subject: String] = [
    .mark: "The value decides whether an item is in backups of app data.",
    .marking: "Do not use it on the user's documents, which everyday operations unmark.",
    .markLoss: "Some operations on the user's documents set it back to false.",
  ]

  private static let qa1719: [SystemProfile.Subject: String] = [
    .backup: "Library/Caches and tmp are not backed up.",
    .mark: "A marked file stays out; a marked directory stays out with all in it.",
    .marking: "The item must exist; mark directories of your own, not the system's.",
    .systems: "5.1 has the resource value, 5.0.1 the attribute, 5.0 neither.",
    .place: "Under 5.0, what is not to be backed up goes to Library/Caches.",
  ]

  private static let guidelines2011: [SystemProfile.Subject: String] = [
    .backup: "All is backed up but the bundle, Library/Caches and tmp.",
    .mark: "A marked file is neither backed up nor purged, in whatever directory, Documents too.",
    .systems: "The attribute counts from 5.0.1 on.",
    .purge: "What must stay when storage is low is marked.",
    .place:
      "Documents is for the user's own; the rest goes to Library/Caches and tmp, or is marked.",
    .deletion: "Delete temporary files when they have served, and marked ones from time to time.",
    .size: "Large files make backups slow, and take up the user's storage.",
  ]

  private static let fileSystemGuide: [SystemProfile.Subject: String] = [
    .layout: "Up to iOS 7 the bundle is in the container.",
    .backup: "Library is backed up but for Caches; users can switch an app's backup off.",
    .purge: "Of what is in Library only Caches may be deleted, not while the app runs.",
    .update: "The container's path may change, so absolute paths are not to be stored.",
    .place: "Library holds what users do not see, backed up; Documents/Inbox is read and emptied.",
  ]

  private static let fileSystem: [SystemProfile.Subject: String] = [
    .backup:
      "Documents and Application Support are backed up, Library/Caches and tmp are not.",
    .marking: "The value keeps out what need not be backed up.",
    .purge: "Library/Caches and tmp may be purged whenever the app does not run.",
    .place: "Each kind of file has its directory.",
    .size: "Less on disk makes backups smaller and faster.",
  ]

  private static let eidingerPost: [SystemProfile.Subject: String] = [
    .layout: "The system makes the usual directories, but not Library/Application Support.",
    .backup: "Documents and Library are backed up, Library/Caches and tmp are not.",
    .mark: "A mark is guidance, no guarantee.",
    .marking: "Mark after each save; the item must exist; not the user's documents.",
    .place: "What can be made or downloaded again stays out.",
    .size: "Less in a backup makes it smaller and faster.",
    .secrecy: "Confidential data is to be kept out of iCloud.",
  ]

  private static let backupPost: [SystemProfile.Subject: String] = [
    .marking: "Each file in Documents is marked when the app is launched.",
    .update: "Support files may be missing after an update, so look before use.",
    .place: "Critical, cached, temporary and support data each have their place.",
  ]

  /// Real backups and containers.
  private static let seen: [SystemProfile.Subject: String] = [
    .layout: "A new container has Documents, Library, Caches, Preferences and tmp.",
    .backup: "What is in real backups, by place, name and kind of item.",
    .mark: "The attribute's presence counts; every kind of backup keeps to it alike.",
    .purge: "Library/Caches is renamed away and made again, empty.",
    .update: "The container's path has another UUID after an update.",
    .restore: "A restored container has what was backed up, and no marked directory.",
    .secrecy: "What an app has in the keychain outlives its deletion.",
  ]
}
