import BackupDevice

/// Every requirement that the kit knows: the table that `backup-testing requirements` prints, and
/// that scenarios cite by id.
///
/// Adding one means one entry in the list of its area, and scenarios that keep and break it.
package enum RequirementCatalogue {
  /// The requirements, area by area.
  package static let all: [Scenario.Requirement] =
    layout + backup + mark + era + purge + update + restore + dataClass

  /// What a new container looks like.
  private static let layout = [
    Scenario.Requirement(
      "layout.standard-directories",
      "A newly installed app finds Documents, Library, Library/Caches, Library/Preferences and tmp.",
      about: .layout, evidence: .observed, from: [.eidinger, .observed],
      breach: .impossible(because: "the system lays the container out")),
    Scenario.Requirement(
      "layout.application-support-absent",
      "Library/Application Support does not exist before the app makes it.",
      about: .layout, evidence: .observed, from: [.eidinger]),
  ]

  /// What a backup holds.
  private static let backup = [
    // By place.
    Scenario.Requirement(
      "backup.documents", "What lies in Documents is backed up.",
      about: .backup, evidence: .documented, from: [.eidinger, .appleGuidelines2011]),
    Scenario.Requirement(
      "backup.library", "What lies in Library is backed up, but for Library/Caches.",
      about: .backup, evidence: .documented, from: [.appleFSPG, .eidinger]),
    Scenario.Requirement(
      "backup.caches-left-out", "Nothing in Library/Caches is backed up.",
      about: .backup, evidence: .documented, from: [.appleOptimizing]),
    Scenario.Requirement(
      "backup.tmp-left-out", "Nothing in tmp is backed up.",
      about: .backup, evidence: .documented, from: [.appleOptimizing]),
    Scenario.Requirement(
      "backup.bundle-left-out",
      "The app's bundle is not backed up, not even where it lies in the container.",
      about: .backup, evidence: .documented, from: [.appleGuidelines2011],
      breach: .impossible(because: "the bundle cannot be written, nor made part of a backup")),
    Scenario.Requirement(
      "backup.locations-are-anchored",
      "Only the container's own Caches and tmp are special; elsewhere these names mean nothing.",
      about: .backup, evidence: .observed, from: [.observed]),
    Scenario.Requirement(
      "backup.system-managed-left-out",
      "What the system keeps for itself stays out: launch images, saved state, synced "
        + "preferences, and the directories beside Documents and Library.",
      about: .backup, evidence: .observed, from: [.observed]),
    Scenario.Requirement(
      "backup.group-container",
      "Of a group's container everything is backed up but its Library/Caches and what the system "
        + "keeps for itself.",
      about: .backup, evidence: .observed, from: [.observed]),
    Scenario.Requirement(
      "backup.extension-container",
      "An extension's container is backed up by the app's rules, from its own Documents and Library "
        + "on.",
      about: .backup, evidence: .observed, from: [.observed]),
    Scenario.Requirement(
      "backup.size",
      "A backup is kept small: its size takes up the user's storage, and time at each backup.",
      about: .size, evidence: .documented,
      from: [.appleOptimizing, .appleGuidelines2011, .eidinger]),
    // By mark.
    Scenario.Requirement(
      "backup.marked-file-left-out", "A marked file stays out of backups.",
      about: .mark, evidence: .documented, from: [.appleGuidelines2011, .appleQA1719]),
    Scenario.Requirement(
      "backup.marked-directory-left-out",
      "A marked directory stays out with all it holds, whatever comes into it later too.",
      about: .mark, evidence: .documented, from: [.appleQA1719]),
    Scenario.Requirement(
      "backup.marks-are-guidance",
      "The system may back up a marked item all the same, and an app copes with finding it.",
      about: .mark, evidence: .documented, from: [.appleOptimizing, .eidinger]),
    // By name and kind.
    Scenario.Requirement(
      "backup.save-remnants-left-out",
      "What an interrupted save left behind stays out, and so does any file named like it: "
        + "'.dat.nosync…', or '.plist.' and seven characters.",
      about: .backup, evidence: .observed, from: [.observed]),
    Scenario.Requirement(
      "backup.links-not-followed",
      "A link is stored as a link; what it points to goes by its own place.",
      about: .backup, evidence: .observed, from: [.observed]),
    Scenario.Requirement(
      "backup.empty-directories", "A directory is stored even when nothing is in it.",
      about: .backup, evidence: .observed, from: [.observed]),
  ]

  /// How an app marks what is to stay out of backups.
  private static let mark = [
    // Setting and clearing it.
    Scenario.Requirement(
      "mark.exists-before-set",
      "Only an item that is there can be marked; otherwise it is an error.",
      about: .marking, evidence: .observed, from: [.eidinger, .appleQA1719]),
    Scenario.Requirement(
      "mark.reapply-on-save", "An app sets the mark anew every time it has saved the item.",
      about: .marking, evidence: .documented, from: [.appleOptimizing, .eidinger]),
    Scenario.Requirement(
      "mark.can-be-cleared", "An item whose mark is cleared is in the next backup again.",
      about: .mark, evidence: .documented, from: [.appleResourceValue]),
    Scenario.Requirement(
      "mark.legacy-attribute-deprecated",
      "From iOS 5.1 on, the attribute of 5.0.1 is the old way, and the resource value the right one.",
      about: .systems, evidence: .documented, from: [.appleQA1719]),
    // What keeps and what loses it.
    Scenario.Requirement(
      "mark.lost-on-replace",
      "The item that takes a marked one's place, by a replacing save or made anew, has no mark.",
      about: .markLoss, evidence: .source, from: [.swiftFoundation]),
    Scenario.Requirement(
      "mark.kept-in-place", "Writing into an item leaves its mark, though nobody promises it.",
      about: .markLoss, evidence: .source, from: [.swiftFoundation]),
    Scenario.Requirement(
      "mark.kept-on-move", "An item takes its mark along when it is moved, wherever it goes.",
      about: .markLoss, evidence: .measured, from: [.swiftFoundation]),
    Scenario.Requirement(
      "mark.kept-on-copy", "A copy has the mark of what it was copied from, wanted or not.",
      about: .markLoss, evidence: .source, from: [.swiftFoundation, .appleCopyfile]),
    // What gets one.
    Scenario.Requirement(
      "mark.own-directories-only",
      "An app marks directories that it made, never those the system gave it.",
      about: .marking, evidence: .documented, from: [.appleQA1719]),
    Scenario.Requirement(
      "mark.not-on-user-documents",
      "What the user made is not marked: everyday operations drop the mark, and with it a restore "
        + "loses the work.",
      about: .marking, evidence: .documented, from: [.appleResourceValue, .eidinger]),
    Scenario.Requirement(
      "mark.group-by-directory",
      "Files that belong together share one marked directory instead of a mark each.",
      about: .marking, evidence: .documented, from: [.appleOptimizing, .appleQA1719, .realmSwift]),
    Scenario.Requirement(
      "mark.not-left-to-launch",
      "What is marked is marked when it is saved: a sweep over Documents at the next launch comes "
        + "after a backup, and marks the user's own files too.",
      about: .marking, evidence: .documented, from: [.appleOptimizing, .appleResourceValue]),
    // Nothing worse than advice comes of a name, so here advice is what breaks it.
    Scenario.Requirement(
      "mark.directory-named-for-bundle",
      "A directory that the app makes right in Library has the bundle identifier in its name.",
      about: .place, evidence: .documented, from: [.appleOptimizing, .eidinger],
      breach: .finding(atLeast: .advice)),
  ]

  /// What was different under the first systems with backups to iCloud.
  private static let era = [
    Scenario.Requirement(
      "era.5-0-no-mark",
      "Up to iOS 5.0 marks mean nothing: only what is in Caches and tmp stays out.",
      about: .systems, evidence: .documented, from: [.appleQA1719]),
    Scenario.Requirement(
      "era.5-0-1-attribute", "iOS 5.0.1 goes by the extended attribute.",
      about: .systems, evidence: .documented, from: [.appleQA1719, .deviceLog501]),
    Scenario.Requirement(
      "era.5-1-resource-value", "There is a resource value to set from iOS 5.1 on, not before.",
      about: .systems, evidence: .documented, from: [.appleQA1719]),
    Scenario.Requirement(
      "era.upgrade-honours-marks",
      "An attribute that meant nothing to the old system counts once the device has 5.0.1.",
      about: .systems, evidence: .documented, from: [.appleGuidelines2011]),
    Scenario.Requirement(
      "era.5-0-degrade-in-caches",
      "For iOS 5.0 such data goes into Caches, and the app gets by when it is deleted there.",
      about: .place, evidence: .documented, from: [.appleQA1719]),
    Scenario.Requirement(
      "era.way-by-system",
      "An app for several systems marks on each in the way that it has: by the resource value from "
        + "5.1 on, by the attribute on 5.0.1.",
      about: .systems, evidence: .documented, from: [.appleQA1719]),
  ]

  /// What the system takes when the device is short of space.
  private static let purge = [
    Scenario.Requirement(
      "purge.caches", "When storage runs low the system deletes what is in Library/Caches.",
      about: .purge, evidence: .documented, from: [.appleFSPG, .appleGuidelines2011]),
    Scenario.Requirement(
      "purge.tmp", "The system may empty tmp.",
      about: .purge, evidence: .documented, from: [.appleOptimizing, .appleFileSystem]),
    Scenario.Requirement(
      "purge.idle",
      "Whenever the app does not run Caches and tmp may be emptied, whole, on any system.",
      about: .purge, evidence: .documented, from: [.appleFileSystem, .appleOptimizing]),
    Scenario.Requirement(
      "purge.tmp-not-relied-on",
      "What an app has put into tmp it does not count on once it has ended: tmp may be empty then.",
      about: .purge, evidence: .documented, from: [.appleFileSystem, .appleOptimizing]),
    Scenario.Requirement(
      "purge.group-caches",
      "When storage runs low a group's Library/Caches goes as the app's does.",
      about: .purge, evidence: .observed, from: [.observed]),
    Scenario.Requirement(
      "purge.documents-kept", "Documents, and Library but for Caches, are not purged.",
      about: .purge, evidence: .documented, from: [.appleFSPG],
      breach: .impossible(because: "no app can make the system purge Documents or Library")),
    Scenario.Requirement(
      "purge.marked-kept", "A mark does not make an item in Documents or Library purgeable.",
      about: .purge, evidence: .documented, from: [.appleGuidelines2011],
      breach: .impossible(because: "only Caches and tmp are purged, whatever an app does")),
    Scenario.Requirement(
      "purge.mark-protects-nothing-in-caches",
      "A mark does not save a file in Caches; up to iOS 8 it did, by the guidelines of 2011.",
      about: .purge, evidence: .observed, from: [.observed, .appleGuidelines2011]),
    Scenario.Requirement(
      "purge.all-or-nothing",
      "From iOS 9 on Caches goes whole and is made anew, empty and unmarked; earlier systems "
        + "deleted single files.",
      about: .purge, evidence: .observed, from: [.observed]),
    Scenario.Requirement(
      "purge.not-while-running",
      "An app is not purged while it runs: what it then lacks it can make again when it starts.",
      about: .purge, evidence: .documented, from: [.appleFSPG]),
  ]

  /// What an update of the app leaves in place.
  private static let update = [
    Scenario.Requirement(
      "update.carries-documents-and-library", "Documents and Library come through an update.",
      about: .update, evidence: .documented, from: [.appleAppGuide],
      breach: .impossible(because: "the system carries them over, whatever an app does")),
    Scenario.Requirement(
      "update.rest-not-promised", "Anything else may come through an update or be gone after it.",
      about: .update, evidence: .documented, from: [.appleAppGuide]),
    Scenario.Requirement(
      "update.container-path-changes",
      "The container may get another path, so an absolute path that was stored leads nowhere.",
      about: .update, evidence: .observed, from: [.observed, .appleFSPG]),
    Scenario.Requirement(
      "update.exists-before-use",
      "Support files may be missing after an update, and so may what is in Caches and tmp: the app "
        + "looks before it uses them.",
      about: .update, evidence: .observed, from: [.ios5BackupPost]),
  ]

  /// What a new device has of the old one.
  private static let restore = [
    Scenario.Requirement(
      "restore.only-what-was-backed-up",
      "A restored container lacks all that the backup left out, marked directories included.",
      about: .restore, evidence: .observed, from: [.observed, .appleOptimizing]),
    Scenario.Requirement(
      "restore.exists-before-use",
      "What the backup left out is fetched or made again on a restored device: the app looks "
        + "before it uses it.",
      about: .restore, evidence: .documented, from: [.appleOptimizing]),
    Scenario.Requirement(
      "restore.backup-switched-off",
      "Where the user has switched the app's iCloud Backup off, it has nothing of the app, which "
        + "begins on a restored device as one newly installed.",
      about: .backup, evidence: .documented, from: [.appleFSPG]),
    Scenario.Requirement(
      "restore.recreated-directory-needs-mark",
      "A directory that was marked and is made again after a restore has to be marked again.",
      about: .marking, evidence: .documented, from: [.appleOptimizing]),
  ]
}
