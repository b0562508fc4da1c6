extension SystemProfile {
  /// The source of a statement about iOS.
  @nonexhaustive
  public enum Source: String, CaseIterable, Hashable, Sendable {
    /// Apple, Optimizing Your App's Data for iCloud Backup.
    case appleOptimizing = "apple-optimizing"
    /// Apple, URLResourceValues.isExcludedFromBackup.
    case appleResourceValue = "apple-resource-value"
    /// Apple, URLResourceKey.isExcludedFromBackupKey.
    case appleResourceKey = "apple-resource-key"
    /// Apple, Technical Q&A QA1719.
    case appleQA1719 = "apple-qa1719"
    /// Apple, iOS Data Storage Guidelines of 2011.
    case appleGuidelines2011 = "apple-guidelines-2011"
    /// Apple, File System Programming Guide.
    case appleFSPG = "apple-fspg"
    /// Apple, Using the file system effectively.
    case appleFileSystem = "apple-file-system"
    /// Apple, App Programming Guide for iOS.
    case appleAppGuide = "apple-app-guide"
    /// Apple, FileManager.containerURL(forSecurityApplicationGroupIdentifier:).
    case appleGroupContainer = "apple-group-container"
    /// Apple, kSecAttrAccessibleWhenUnlockedThisDeviceOnly.
    case appleKeychain = "apple-keychain"
    /// Apple, Registering your app with APNs.
    case appleAPNs = "apple-apns"
    /// Apple, the text in Settings beside Offload App.
    case appleOffload = "apple-offload"
    /// Apple, Apple Platform Security.
    case applePlatformSecurity = "apple-platform-security"
    /// Apple, Back up and restore documents and data from managed apps.
    case appleManagedApps = "apple-managed-apps"
    /// Apple, URLResourceValues.isPurgeable.
    case applePurgeable = "apple-purgeable"
    /// App Store Review Guideline 2.23 of 2011, as a contemporary post cites it.
    case appReview223 = "app-review-2.23"
    /// A developer's post of 2012 on rejections under guideline 2.23.
    case ios5BackupPost = "ios5-backup-post"
    /// A computer's log of backups of a device with iOS 5.0.1.
    case deviceLog501 = "device-log-5.0.1"
    /// M. Eidinger, Prevent your app's files from being included in iCloud Backup.
    case eidinger
    /// Developers' reports that a device refused their app's writes.
    case refusedWrites = "refused-writes"
    /// Developers' reports that user defaults read as empty in a launch before the first unlock.
    case lockedDefaults = "locked-defaults"
    /// Swift Foundation's source code.
    case swiftFoundation = "swift-foundation"
    /// Apple's copyfile source code.
    case appleCopyfile = "apple-copyfile"
    /// Realm's source code.
    case realmSwift = "realm-swift"
    /// WebKit, Updates to Storage Policy.
    case webKitStorage = "webkit-storage"
    /// WebKit's source code.
    case webKit = "webkit"
    /// Developers' reports that web views lost what their app had saved.
    case webViewLosses = "web-view-losses"
    /// SQLite, Write-Ahead Logging.
    case sqlite
    /// Inspections of real backups and containers of iOS 14 to 27.
    case observed

    /// The key that reports and the catalog use.
    public var key: String { rawValue }

    /// The title of the source, with its date.
    public var title: String {
      switch self {
      case .appleOptimizing: "Apple, Optimizing Your App's Data for iCloud Backup (current)"
      case .appleResourceValue: "Apple, URLResourceValues.isExcludedFromBackup (current)"
      case .appleQA1719: "Apple, Technical Q&A QA1719 (2012–2016, archived)"
      case .appleGuidelines2011: "Apple, iOS Data Storage Guidelines (2011, archived)"
      case .appleFSPG: "Apple, File System Programming Guide (archived)"
      case .appleFileSystem: "Apple, Using the file system effectively (current)"
      case .appleAppGuide: "Apple, App Programming Guide for iOS (archived)"
      case .appleGroupContainer:
        "Apple, FileManager.containerURL(forSecurityApplicationGroupIdentifier:) (current)"
      case .appleKeychain: "Apple, kSecAttrAccessibleWhenUnlockedThisDeviceOnly (current)"
      case .appleAPNs: "Apple, Registering your app with APNs (current)"
      case .appleResourceKey: "Apple, URLResourceKey.isExcludedFromBackupKey (current)"
      case .appleOffload: "Apple, Settings of iOS, iPhone Storage, Offload App (current)"
      case .applePlatformSecurity: "Apple, Apple Platform Security (current)"
      case .appleManagedApps:
        "Apple, Back up and restore documents and data from managed apps (current)"
      case .applePurgeable: "Apple, URLResourceValues.isPurgeable (current)"
      case .appReview223:
        "App Store Review Guideline 2.23 (2011), as ios5-backup-post cites it"
      case .ios5BackupPost:
        "a developer's post on the data classes of iOS 5 and rejections under guideline 2.23 (2012)"
      case .deviceLog501: "an iTunes log of backups of a device with iOS 5.0.1 (2011)"
      case .eidinger:
        "M. Eidinger, Prevent your app's files from being included in iCloud Backup (2022)"
      case .refusedWrites:
        "Moya issue 2102 (2020) and Disk issue 39 (2018), with the error of a device"
      case .lockedDefaults:
        "OpenRadar 16761393 (2014) and Loop pull request 1186 (2019), on launches before the first unlock"
      case .swiftFoundation: "swift-foundation, Data+Writing.swift and FileOperations.swift"
      case .appleCopyfile: "copyfile, xattr_flags.c"
      case .realmSwift: "realm-swift, RLMRealm.mm"
      case .webKitStorage: "WebKit, Updates to Storage Policy (2023)"
      case .webKit: "WebKit, NetworkStorageManager.cpp"
      case .webViewLosses:
        "cordova-ios issue 1117 (2021), ionic-storage issue 317 (2024) and Capacitor's article on storage"
      case .sqlite: "SQLite, Write-Ahead Logging (current)"
      case .observed: "seen in real backups and containers of iOS 14–27; not documented"
      }
    }

    /// The address of the source, or nil if the kit knows none.
    public var address: String? {
      switch self {
      case .appleOptimizing:
        "https://developer.apple.com/documentation/foundation/optimizing-your-app-s-data-for-icloud-backup"
      case .appleResourceValue:
        "https://developer.apple.com/documentation/foundation/urlresourcevalues/isexcludedfrombackup"
      case .appleQA1719: "https://developer.apple.com/library/archive/qa/qa1719/_index.html"
      case .appleGuidelines2011:
        "https://developer.apple.com/icloud/documentation/data-storage"
      case .appleFSPG:
        "https://developer.apple.com/library/archive/documentation/FileManagement/Conceptual/"
          + "FileSystemProgrammingGuide"
      case .appleFileSystem:
        "https://developer.apple.com/documentation/foundation/using-the-file-system-effectively"
      case .appleAppGuide:
        "https://developer.apple.com/library/archive/documentation/iPhone/Conceptual/"
          + "iPhoneOSProgrammingGuide"
      case .appleGroupContainer:
        "https://developer.apple.com/documentation/foundation/filemanager/"
          + "containerurl(forsecurityapplicationgroupidentifier:)"
      case .appleKeychain:
        "https://developer.apple.com/documentation/security/"
          + "ksecattraccessiblewhenunlockedthisdeviceonly"
      case .appleAPNs:
        "https://developer.apple.com/documentation/usernotifications/registering-your-app-with-apns"
      case .appleResourceKey:
        "https://developer.apple.com/documentation/foundation/urlresourcekey/isexcludedfrombackupkey"
      case .applePlatformSecurity: "https://support.apple.com/guide/security"
      case .appleManagedApps: "https://support.apple.com/102017"
      case .applePurgeable:
        "https://developer.apple.com/documentation/foundation/urlresourcevalues/ispurgeable"
      case .eidinger:
        "https://blog.eidinger.info/prevent-your-apps-files-from-being-included-in-icloud-backup"
      case .refusedWrites: "https://github.com/Moya/Moya/issues/2102"
      case .lockedDefaults: "https://github.com/lionheart/openradar-mirror/issues/12487"
      case .swiftFoundation: "https://github.com/swiftlang/swift-foundation"
      case .appleCopyfile: "https://github.com/apple-oss-distributions/copyfile"
      case .realmSwift: "https://github.com/realm/realm-swift"
      case .webKitStorage: "https://webkit.org/blog/14403/updates-to-storage-policy"
      case .webKit: "https://github.com/WebKit/WebKit"
      case .webViewLosses: "https://github.com/ionic-team/ionic-storage/issues/317"
      case .sqlite: "https://sqlite.org/wal.html"
      case .appleOffload, .appReview223, .ios5BackupPost, .deviceLog501, .observed: nil
      }
    }
  }
}
