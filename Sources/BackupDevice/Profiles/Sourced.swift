extension SystemProfile {
  /// A statement about iOS: a value, how sure it is and where it comes from.
  public struct Sourced<Value: Hashable & Sendable>: Hashable, Sendable {
    /// What the statement says.
    public var value: Value
    /// How sure the statement is.
    public var evidence: Evidence
    /// Where the statement comes from; empty only for what is unverified.
    public var sources: [Source]

    /// A value with its evidence.
    ///
    /// - Parameters:
    ///   - value: What the profile says.
    ///   - evidence: How sure it is.
    ///   - sources: Where it comes from; none only for what is unverified.
    package init(
      _ value: Value, _ evidence: Evidence, from sources: Source...
    ) {
      self.value = value
      self.evidence = evidence
      self.sources = sources
    }
  }
}

extension SystemProfile {
  /// How sure a statement about iOS is.
  @nonexhaustive
  public enum Evidence: String, CaseIterable, Hashable, Sendable {
    /// Apple says so.
    case documented
    /// Open source code was read.
    case source
    /// It was run and seen.
    case measured
    /// Seen in real backups and containers; not a contract.
    case observed
    /// Nobody has shown it; the kit resolves it against the app.
    case unverified
  }
}

extension SystemProfile {
  /// Where a statement about iOS comes from.
  @nonexhaustive
  public enum Source: String, CaseIterable, Hashable, Sendable {
    /// Apple, Optimizing Your App's Data for iCloud Backup.
    case appleOptimizing = "apple-optimizing"
    /// Apple, URLResourceValues.isExcludedFromBackup.
    case appleResourceValue = "apple-resource-value"
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
    /// App Store Review Guideline 2.23 of that time.
    case appReview223 = "app-review-2.23"
    /// M. Eidinger, Prevent your app's files from being included in iCloud Backup.
    case eidinger
    /// Swift Foundation's source code.
    case swiftFoundation = "swift-foundation"
    /// Apple's copyfile source code.
    case appleCopyfile = "apple-copyfile"
    /// Realm's source code.
    case realmSwift = "realm-swift"
    /// Real backups and containers of iOS 14 to 27, looked into.
    case observed

    /// The key that reports and the catalogue use.
    public var key: String { rawValue }

    /// The title of the source, with its time.
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
      case .appReview223:
        "App Store Review Guideline 2.23 (2011), as the guidelines of 2011 cite it"
      case .eidinger:
        "M. Eidinger, Prevent your app's files from being included in iCloud Backup (2022)"
      case .swiftFoundation: "swift-foundation, Data+Writing.swift and FileOperations.swift"
      case .appleCopyfile: "copyfile, xattr_flags.c"
      case .realmSwift: "realm-swift, RLMRealm.mm"
      case .observed: "seen in real backups and containers of iOS 14–27; not documented"
      }
    }

    /// The address where the source can be read; nil for what was only seen.
    public var address: String? {
      switch self {
      case .appleOptimizing:
        "https://developer.apple.com/documentation/foundation/optimizing-your-app-s-data-for-icloud-backup"
      case .appleResourceValue:
        "https://developer.apple.com/documentation/foundation/urlresourcevalues/isexcludedfrombackup"
      case .appleQA1719: "https://developer.apple.com/library/archive/qa/qa1719/_index.html"
      case .appleGuidelines2011, .appReview223:
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
      case .eidinger: "https://blog.eidinger.info"
      case .swiftFoundation: "https://github.com/swiftlang/swift-foundation"
      case .appleCopyfile: "https://github.com/apple-oss-distributions/copyfile"
      case .realmSwift: "https://github.com/realm/realm-swift"
      case .observed: nil
      }
    }
  }
}
