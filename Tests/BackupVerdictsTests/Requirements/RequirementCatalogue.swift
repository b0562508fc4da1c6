import BackupDevice
import BackupScenarios
import Testing
import TrialSupport

/// A requirement on an app's files on iOS, with its evidence and its sources.
struct Requirement {
  /// How an app can break a requirement.
  enum Breach: Equatable {
    /// A scenario that breaks it expects a finding with at least this severity.
    case finding(atLeast: Scenario.Severity)
    case impossible(because: String)
  }

  /// The stable id, which scenarios cite. It begins with the area, as in `mark.reapply-on-save`.
  let id: String
  /// The requirement in the kit's own words.
  let statement: String
  /// The subject of the requirement. Each source must have a statement on this subject.
  let subject: SystemProfile.Subject
  let evidence: SystemProfile.Evidence
  /// The sources; empty only if the evidence is unverified.
  let sources: [SystemProfile.Source]
  let breach: Breach

  init(
    _ id: String, _ statement: String, about subject: SystemProfile.Subject,
    evidence: SystemProfile.Evidence, from sources: [SystemProfile.Source],
    breach: Breach = .finding(atLeast: .warning)
  ) {
    self.id = id
    self.statement = statement
    self.subject = subject
    self.evidence = evidence
    self.sources = sources
    self.breach = breach
  }

  /// The reason why no app can break the requirement; nil if an app can.
  var reasonForNoBreach: String? {
    guard case .impossible(let reason) = breach else { return nil }
    return reason
  }
}

extension Requirement: CustomTestStringConvertible {
  var testDescription: String { id }
}

/// Every requirement that scenarios can cite, in the order of `Scenario.requirementIDs`.
///
/// To add a requirement, add its id there, an entry here in the list of its area, and scenarios
/// that keep and break it.
enum RequirementCatalogue {
  /// The requirements, area by area.
  static let all: [Requirement] =
    layout + backup + mark + era + purge + update + restore + lock + dataClass

  /// The layout of a new container.
  private static let layout = [
    Requirement(
      "layout.standard-directories",
      "A newly installed app finds Documents, Library, Library/Caches, Library/Preferences and tmp.",
      about: .layout, evidence: .observed, from: [.eidinger, .observed],
      breach: .impossible(because: "the system lays the container out")),
    Requirement(
      "layout.application-support-absent",
      "Library/Application Support does not exist before the app makes it.",
      about: .layout, evidence: .observed, from: [.eidinger]),
    Requirement(
      "layout.refused-places",
      "A device lets an app make nothing right in its container, or in Documents/Inbox.",
      about: .place, evidence: .observed, from: [.refusedWrites]),
  ]

  private static let backup = [
    // By place.
    Requirement(
      "backup.documents", "What lies in Documents is backed up.",
      about: .backup, evidence: .documented, from: [.eidinger, .appleGuidelines2011]),
    Requirement(
      "backup.library", "What lies in Library is backed up, but for Library/Caches.",
      about: .backup, evidence: .documented, from: [.appleFSPG, .eidinger]),
    Requirement(
      "backup.caches-left-out", "Nothing in Library/Caches is backed up.",
      about: .backup, evidence: .documented, from: [.appleOptimizing]),
    Requirement(
      "backup.tmp-left-out", "Nothing in tmp is backed up.",
      about: .backup, evidence: .documented, from: [.appleOptimizing]),
    Requirement(
      "backup.bundle-left-out",
      "The app's bundle is not backed up, not even where it lies in the container.",
      about: .backup, evidence: .documented, from: [.appleGuidelines2011],
      breach: .impossible(because: "the bundle cannot be written, nor made part of a backup")),
    Requirement(
      "backup.locations-are-anchored",
      "Only the container's own Caches and tmp are special; elsewhere these names mean nothing.",
      about: .backup, evidence: .observed, from: [.observed]),
    Requirement(
      "backup.system-managed-left-out",
      "What the system keeps for itself stays out: launch images, saved state, synced "
        + "preferences, and the directories beside Documents and Library.",
      about: .backup, evidence: .observed, from: [.observed]),
    Requirement(
      "backup.group-container",
      "Of a group's container everything is backed up but its Library/Caches and what the system "
        + "keeps for itself.",
      about: .backup, evidence: .observed, from: [.observed]),
    Requirement(
      "backup.extension-container",
      "An extension's container is backed up by the app's rules, from its own Documents and Library "
        + "on.",
      about: .backup, evidence: .observed, from: [.observed]),
    Requirement(
      "backup.size",
      "A backup is kept small: its size takes up the user's storage, and time at each backup.",
      about: .size, evidence: .documented,
      from: [.appleOptimizing, .appleGuidelines2011, .eidinger]),
    // By mark.
    Requirement(
      "backup.marked-file-left-out", "A marked file stays out of backups.",
      about: .mark, evidence: .documented, from: [.appleGuidelines2011, .appleQA1719]),
    Requirement(
      "backup.marked-directory-left-out",
      "A marked directory stays out with all it holds, whatever comes into it later too.",
      about: .mark, evidence: .documented, from: [.appleQA1719]),
    Requirement(
      "backup.marks-are-guidance",
      "The system may back up a marked item all the same, and an app copes with finding it.",
      about: .mark, evidence: .documented, from: [.appleOptimizing, .eidinger]),
    // By name and kind.
    Requirement(
      "backup.save-remnants-left-out",
      "What an interrupted save left behind stays out, and so does any file named like it: "
        + "'.dat.nosync…', or '.plist.' and seven characters.",
      about: .backup, evidence: .observed, from: [.observed]),
    Requirement(
      "backup.links-not-followed",
      "A link is stored as a link; what it points to goes by its own place.",
      about: .backup, evidence: .observed, from: [.observed]),
    Requirement(
      "backup.empty-directories", "A directory is stored even when nothing is in it.",
      about: .backup, evidence: .observed, from: [.observed]),
  ]

  /// How an app marks items that must stay out of backups.
  private static let mark = [
    // Setting and clearing the mark.
    Requirement(
      "mark.exists-before-set",
      "Only an item that is there can be marked; otherwise it is an error.",
      about: .marking, evidence: .observed, from: [.eidinger, .appleQA1719]),
    Requirement(
      "mark.reapply-on-save", "An app sets the mark anew every time it has saved the item.",
      about: .marking, evidence: .documented,
      from: [.appleResourceKey, .appleOptimizing, .eidinger]),
    Requirement(
      "mark.can-be-cleared", "An item whose mark is cleared is in the next backup again.",
      about: .mark, evidence: .documented, from: [.appleResourceValue]),
    Requirement(
      "mark.legacy-attribute-deprecated",
      "From iOS 5.1 on, the attribute of 5.0.1 is the old way, and the resource value the right one.",
      about: .systems, evidence: .documented, from: [.appleQA1719]),
    // Operations that keep or lose the mark.
    Requirement(
      "mark.lost-on-replace",
      "The item that takes a marked one's place, by a replacing save or made anew, has no mark.",
      about: .markLoss, evidence: .source, from: [.swiftFoundation]),
    Requirement(
      "mark.kept-in-place", "Writing into an item leaves its mark, though nobody promises it.",
      about: .markLoss, evidence: .source, from: [.swiftFoundation]),
    Requirement(
      "mark.kept-on-move", "An item takes its mark along when it is moved, wherever it goes.",
      about: .markLoss, evidence: .measured, from: [.swiftFoundation]),
    Requirement(
      "mark.kept-on-copy", "A copy has the mark of what it was copied from, wanted or not.",
      about: .markLoss, evidence: .source, from: [.swiftFoundation, .appleCopyfile]),
    // Items that get a mark.
    Requirement(
      "mark.own-directories-only",
      "An app marks directories that it made, never those the system gave it.",
      about: .marking, evidence: .documented, from: [.appleQA1719]),
    Requirement(
      "mark.not-on-user-documents",
      "What the user made is not marked: everyday operations drop the mark, and with it a restore "
        + "loses the work.",
      about: .marking, evidence: .documented, from: [.appleResourceValue, .eidinger]),
    Requirement(
      "mark.group-by-directory",
      "Files that belong together share one marked directory instead of a mark each.",
      about: .marking, evidence: .documented, from: [.appleOptimizing, .appleQA1719, .realmSwift]),
    Requirement(
      "mark.not-left-to-launch",
      "What is marked is marked when it is saved: a sweep over Documents at the next launch comes "
        + "after a backup, and marks the user's own files too.",
      about: .marking, evidence: .documented, from: [.appleOptimizing, .appleResourceValue]),
    // A wrong name causes at most advice, so advice is enough to break this requirement.
    Requirement(
      "mark.directory-named-for-bundle",
      "A directory that the app makes right in Library has the bundle identifier in its name.",
      about: .place, evidence: .documented, from: [.appleOptimizing, .eidinger],
      breach: .finding(atLeast: .advice)),
    Requirement(
      "database.moved-with-its-log",
      "A database that is moved or copied takes its log along, or has none.",
      about: .place, evidence: .measured, from: [.sqlite]),
  ]

  /// The differences of the first iOS versions with backups to iCloud.
  private static let era = [
    Requirement(
      "era.5-0-no-mark",
      "Up to iOS 5.0 marks mean nothing: only what is in Caches and tmp stays out.",
      about: .systems, evidence: .documented, from: [.appleQA1719]),
    Requirement(
      "era.5-0-1-attribute", "iOS 5.0.1 goes by the extended attribute.",
      about: .systems, evidence: .documented, from: [.appleQA1719, .deviceLog501]),
    Requirement(
      "era.5-1-resource-value", "There is a resource value to set from iOS 5.1 on, not before.",
      about: .systems, evidence: .documented, from: [.appleQA1719]),
    Requirement(
      "era.upgrade-honours-marks",
      "An attribute that meant nothing to the old system counts once the device has 5.0.1.",
      about: .systems, evidence: .documented, from: [.appleGuidelines2011]),
    Requirement(
      "era.5-0-degrade-in-caches",
      "For iOS 5.0 such data goes into Caches, and the app gets by when it is deleted there.",
      about: .place, evidence: .documented, from: [.appleQA1719]),
    Requirement(
      "era.way-by-system",
      "An app for several systems marks on each in the way that it has: by the resource value from "
        + "5.1 on, by the attribute on 5.0.1.",
      about: .systems, evidence: .documented, from: [.appleQA1719]),
  ]

  /// Items that iOS purges.
  private static let purge = [
    Requirement(
      "purge.caches", "When storage runs low the system deletes what is in Library/Caches.",
      about: .purge, evidence: .documented, from: [.appleFSPG, .appleGuidelines2011]),
    Requirement(
      "purge.tmp", "The system may empty tmp.",
      about: .purge, evidence: .documented, from: [.appleOptimizing, .appleFileSystem]),
    Requirement(
      "purge.idle",
      "Whenever the app does not run Caches and tmp may be emptied, whole, on any system.",
      about: .purge, evidence: .documented, from: [.appleFileSystem, .appleOptimizing]),
    Requirement(
      "purge.tmp-not-relied-on",
      "What an app has put into tmp it does not count on once it has ended: tmp may be empty then.",
      about: .purge, evidence: .documented, from: [.appleFileSystem, .appleOptimizing]),
    Requirement(
      "purge.group-caches",
      "When storage runs low a group's Library/Caches goes as the app's does.",
      about: .purge, evidence: .observed, from: [.observed]),
    Requirement(
      "purge.documents-kept", "Documents, and Library but for Caches, are not purged.",
      about: .purge, evidence: .documented, from: [.appleFSPG],
      breach: .impossible(because: "no app can make the system purge Documents or Library")),
    Requirement(
      "purge.marked-kept", "A mark does not make an item in Documents or Library purgeable.",
      about: .purge, evidence: .documented, from: [.appleGuidelines2011],
      breach: .impossible(because: "only Caches and tmp are purged, whatever an app does")),
    Requirement(
      "purge.mark-protects-nothing-in-caches",
      "A mark does not save a file in Caches; up to iOS 8 it did, by the guidelines of 2011.",
      about: .purge, evidence: .observed, from: [.observed, .appleGuidelines2011]),
    Requirement(
      "purge.all-or-nothing",
      "From iOS 9 on Caches goes whole and is made anew, empty and unmarked; earlier systems "
        + "deleted single files.",
      about: .purge, evidence: .observed, from: [.observed]),
    Requirement(
      "purge.not-while-running",
      "An app is not purged while it runs: what it then lacks it can make again when it starts.",
      about: .purge, evidence: .documented, from: [.appleFSPG]),
    Requirement(
      "purge.web-view-storage",
      "What the user made is not only in the storage of web views, which may be deleted.",
      about: .purge, evidence: .observed, from: [.webViewLosses]),
  ]

  /// Items that an update of the app keeps.
  private static let update = [
    Requirement(
      "update.carries-documents-and-library", "Documents and Library come through an update.",
      about: .update, evidence: .documented, from: [.appleAppGuide],
      breach: .impossible(because: "the system carries them over, whatever an app does")),
    Requirement(
      "update.rest-not-promised", "Anything else may come through an update or be gone after it.",
      about: .update, evidence: .documented, from: [.appleAppGuide]),
    Requirement(
      "update.container-path-changes",
      "The container may get another path, so an absolute path that was stored leads nowhere.",
      about: .update, evidence: .observed, from: [.observed, .appleFSPG]),
    Requirement(
      "update.exists-before-use",
      "Support files may be missing after an update, and so may what is in Caches and tmp: the app "
        + "looks before it uses them.",
      about: .update, evidence: .observed, from: [.ios5BackupPost]),
  ]

  /// Items that a restore brings to a new device.
  private static let restore = [
    Requirement(
      "restore.only-what-was-backed-up",
      "A restored container lacks all that the backup left out, marked directories included.",
      about: .restore, evidence: .observed, from: [.observed, .appleOptimizing]),
    Requirement(
      "restore.exists-before-use",
      "What the backup left out is fetched or made again on a restored device: the app looks "
        + "before it uses it.",
      about: .restore, evidence: .documented, from: [.appleOptimizing]),
    Requirement(
      "restore.backup-switched-off",
      "Where the user has switched the app's iCloud Backup off, it has nothing of the app, which "
        + "begins on a restored device as one newly installed.",
      about: .backup, evidence: .documented, from: [.appleFSPG]),
    Requirement(
      "restore.recreated-directory-needs-mark",
      "A directory that was marked and is made again after a restore has to be marked again.",
      about: .marking, evidence: .documented, from: [.appleOptimizing]),
    Requirement(
      "restore.keychain-item-checked",
      "An app that reads a keychain item can do without it: few backups bring one to another device.",
      about: .secrecy, evidence: .documented, from: [.appleKeychain, .applePlatformSecurity]),
    Requirement(
      "restore.key-comes-with-file",
      "What an app encrypts with a keychain item comes to another device with the item, or can be made again.",
      about: .secrecy, evidence: .documented, from: [.appleKeychain, .applePlatformSecurity]),
    Requirement(
      "restore.device-value-set-again",
      "A value that is for one device, such as a push token, is set again before it is used on another.",
      about: .secrecy, evidence: .documented, from: [.appleAPNs]),
  ]

  /// Items that an app cannot read on a locked device.
  private static let lock = [
    Requirement(
      "lock.readable-before-use",
      "While the device is locked, an app uses only files that it can read, or waits.",
      about: .lock, evidence: .documented, from: [.applePlatformSecurity]),
    Requirement(
      "lock.not-taken-for-missing",
      "A file that an app cannot read before the first unlock is not taken for missing and made again.",
      about: .lock, evidence: .documented, from: [.applePlatformSecurity, .lockedDefaults]),
  ]

  /// Where each class of data belongs.
  private static let dataClass = [
    // The place of each class.
    Requirement(
      "class.critical",
      "What is the user's and cannot be made again is unmarked in every backup: in Documents by the "
        + "guidelines, or in Library, which the File System Programming Guide allows.",
      about: .place, evidence: .documented, from: [.appleGuidelines2011, .appleFSPG]),
    Requirement(
      "class.support",
      "What the app needs and can fetch again is marked, and lies where nothing is purged.",
      about: .place, evidence: .documented, from: [.appleGuidelines2011, .appleOptimizing]),
    Requirement(
      "class.offline",
      "What the user wants without a network, and can fetch again, is marked, and lies where "
        + "nothing is purged.",
      about: .place, evidence: .documented, from: [.appleGuidelines2011, .appleOptimizing]),
    Requirement(
      "class.cached", "What only saves time is in Library/Caches, and the app can do without it.",
      about: .place, evidence: .documented, from: [.appleGuidelines2011]),
    Requirement(
      "class.temporary", "What only the task at hand needs is in tmp, and deleted after it.",
      about: .place, evidence: .documented, from: [.appleGuidelines2011]),
    Requirement(
      "class.secret",
      "What must not leave the device is in no backup, whether marks are followed or not: it is in "
        + "the keychain, or where no backup looks.",
      about: .secrecy, evidence: .observed, from: [.eidinger, .appleKeychain]),
    // Rules for several classes.
    Requirement(
      "class.documents-are-the-users",
      "Documents is for what the user made; beside it only marked data for use without a network "
        + "may lie there.",
      about: .place, evidence: .documented, from: [.appleGuidelines2011]),
    Requirement(
      "class.nonpurgeable-not-in-caches",
      "Data that must last is not put into a purgeable place to keep it out of backups.",
      about: .place, evidence: .documented, from: [.appleOptimizing]),
    Requirement(
      "class.only-critical-backed-up", "Nothing that can be made or fetched again is in a backup.",
      about: .place, evidence: .documented,
      from: [.appleGuidelines2011, .appReview223, .ios5BackupPost]),
    // Data that the app has to delete after use.
    Requirement(
      "class.offline-deleted",
      "The app itself deletes offline files that have served: they are marked, not purged, and fill "
        + "the device.",
      about: .deletion, evidence: .documented, from: [.appleGuidelines2011]),
    Requirement(
      "class.cached-deleted",
      "The app deletes cached files that have served, and does not wait for a purge.",
      about: .deletion, evidence: .documented, from: [.appleOptimizing]),
    Requirement(
      "class.temporary-deleted", "The app deletes temporary files once their task is done.",
      about: .deletion, evidence: .documented, from: [.appleGuidelines2011, .appleOptimizing]),
  ]
}
