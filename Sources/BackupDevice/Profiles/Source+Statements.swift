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
        .update: "An update keeps Documents and Library. Do not rely on the rest.",
        .ending: "iOS can end an app at any time, and a suspended app without notice.",
      ]
    case .appleGroupContainer: [.layout: "A group's container has Library and Library/Caches."]
    case .appleResourceKey:
      [
        .marking: "Set the mark each time you save a file, because common operations remove it.",
        .systems: "The resource value exists from iOS 5.1 on.",
      ]
    case .appleKeychain:
      [.secrecy: "An item for this device only is missing after a restore on another device."]
    case .appleOffload: [.update: "An offload keeps the app's documents and data."]
    case .applePlatformSecurity:
      [
        .backup:
          "Files of every protection class are backed up. iCloud Backup runs on a locked device.",
        .secrecy:
          "Every backup contains the keychain for the same device. Only an encrypted backup to a "
          + "computer contains it for other devices, without the items for this device only.",
      ]
    case .appleManagedApps:
      [.backup: "An organization can exclude a managed app's data from every backup."]
    case .applePurgeable: [.purge: "iOS may delete a purgeable file to free space."]
    default: [:]
    }
  }

  private var postStatements: [SystemProfile.Subject: String] {
    switch self {
    case .appReview223: [.place: "Apple rejects apps that break the data storage guidelines."]
    case .eidinger: Self.eidingerPost
    case .ios5BackupPost: Self.backupPost
    case .refusedWrites:
      [
        .place:
          "A device refuses writes to Documents/Inbox and to the top of the container (error 513)."
      ]
    default: [:]
    }
  }

  private var codeStatements: [SystemProfile.Subject: String] {
    switch self {
    case .swiftFoundation:
      [
        .markLoss:
          "An atomic save renames a new file over the old one. Other writes and moves keep the item.",
        .ending: "Until the rename, an atomic save does not change the old file.",
      ]
    case .appleCopyfile: [.markLoss: "A copy has the attributes of the original, also the mark."]
    case .realmSwift:
      [.marking: "Realm marks the files beside a database when it opens the database."]
    default: [:]
    }
  }

  private var deviceStatements: [SystemProfile.Subject: String] {
    switch self {
    case .deviceLog501:
      [
        .systems: "Under iOS 5.0.1, the attribute excluded a directory with its contents.",
        .backup: "The backup skipped Library/Caches.",
      ]
    case .observed: Self.seen
    default: [:]
    }
  }
}

extension SystemProfile.Source {
  private static let optimizing: [SystemProfile.Subject: String] = [
    .backup: "Library/Caches and tmp are not backed up.",
    .mark: "A mark is guidance: iOS may still back up the item.",
    .marking:
      "Set the mark at each save, because common operations clear it. Mark directories too.",
    .purge: "iOS purges Library/Caches and tmp periodically.",
    .restore: "An app can download excluded files again on a restored device.",
    .place:
      "Save only files that the app can create again in Library/Caches and tmp.",
    .deletion: "Delete purgeable files as soon as the app no longer needs them.",
    .size: "Excluded files make backups smaller and faster.",
  ]

  private static let resourceValue: [SystemProfile.Subject: String] = [
    .mark: "The resource value decides whether backups contain an item.",
    .marking: "Do not mark the user's documents, because everyday operations remove the mark.",
    .markLoss: "Some operations on the user's documents remove the mark.",
  ]

  private static let qa1719: [SystemProfile.Subject: String] = [
    .backup: "Library/Caches and tmp are not backed up.",
    .mark:
      "Neither a marked file nor a marked directory with its contents is backed up.",
    .marking: "The item must exist. Mark the app's own directories, not those of iOS.",
    .systems:
      "iOS 5.1 has the resource value, iOS 5.0.1 has the attribute, and iOS 5.0 has no mark.",
    .place: "Under iOS 5.0, save files in Library/Caches to exclude them.",
  ]

  private static let guidelines2011: [SystemProfile.Subject: String] = [
    .backup: "Everything is backed up except the bundle, Library/Caches and tmp.",
    .mark: "A marked file in any directory is neither backed up nor purged.",
    .systems: "The attribute works from iOS 5.0.1 on.",
    .purge: "Mark files that must remain when storage is low.",
    .place:
      "Documents is for the user's files. Mark others, or save them in Library/Caches or tmp.",
    .deletion: "Delete temporary files after use, and marked files from time to time.",
    .size: "Large files slow down backups and use the user's storage.",
  ]

  private static let fileSystemGuide: [SystemProfile.Subject: String] = [
    .layout: "Up to iOS 7, the bundle is in the container.",
    .backup: "Library is backed up, except Caches. Users can disable the backup of an app.",
    .purge: "In Library, iOS deletes only Caches, and only while the app does not run.",
    .update: "The path of the container may change, so do not store absolute paths.",
    .place:
      "Library is for files that users do not see. Only read and delete files in Documents/Inbox.",
  ]

  private static let fileSystem: [SystemProfile.Subject: String] = [
    .backup:
      "Documents and Application Support are backed up. Library/Caches and tmp are not.",
    .marking: "Mark files that a backup does not need.",
    .purge: "iOS may purge Library/Caches and tmp whenever the app does not run.",
    .place: "Each kind of file has its directory.",
    .size: "Fewer files on disk make backups smaller and faster.",
  ]

  private static let eidingerPost: [SystemProfile.Subject: String] = [
    .layout: "iOS creates the usual directories, but not Library/Application Support.",
    .backup: "Documents and Library are backed up. Library/Caches and tmp are not.",
    .mark: "A mark is guidance and not a guarantee.",
    .marking: "Mark after each save. The item must exist. Do not mark the user's documents.",
    .place: "Exclude files that the app can create or download again.",
    .size: "Fewer files in a backup make it smaller and faster.",
    .secrecy: "Keep confidential data out of iCloud.",
  ]

  private static let backupPost: [SystemProfile.Subject: String] = [
    .marking: "The app marks each file in Documents at launch.",
    .update: "Support files may be missing after an update, so check that they exist.",
    .place: "Critical, cached, temporary and support files each have a directory.",
  ]

  /// Real backups and containers.
  private static let seen: [SystemProfile.Subject: String] = [
    .layout: "A new container has Documents, Library, Caches, Preferences and tmp.",
    .backup: "Real backups show which items are backed up, by directory, name and type.",
    .mark: "The presence of the attribute counts, in every kind of backup.",
    .purge: "iOS renames Library/Caches and creates a new, empty directory.",
    .update: "After an update, the path of the container has another UUID.",
    .restore: "A restored container has the items of the backup, without marked directories.",
    .secrecy: "Keychain items outlive the deletion of the app.",
  ]
}
