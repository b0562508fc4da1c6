import BackupDevice

extension RequirementCatalogue {
  /// What a backup holds.
  static let backup = backupPlaces + backupMarks + backupDetails

  /// By place.
  private static let backupPlaces = [
    Scenario.Requirement(
      "backup.documents", "What lies in Documents is backed up.",
      .documented, [.eidinger, .appleGuidelines2011]),
    Scenario.Requirement(
      "backup.library", "What lies in Library is backed up, but for Library/Caches.",
      .observed, [.eidinger]),
    Scenario.Requirement(
      "backup.caches-left-out", "Nothing in Library/Caches is backed up.",
      .documented, [.appleOptimizing]),
    Scenario.Requirement(
      "backup.tmp-left-out", "Nothing in tmp is backed up.",
      .documented, [.appleOptimizing]),
    Scenario.Requirement(
      "backup.bundle-left-out",
      "The app's bundle is not backed up, not even where it lies in the container.",
      .documented, [.appleGuidelines2011],
      breach: .impossible(because: "the bundle cannot be written, nor made part of a backup")),
    Scenario.Requirement(
      "backup.locations-are-anchored",
      "Only the container's own Caches and tmp are special; elsewhere these names mean nothing.",
      .observed, [.observed]),
    Scenario.Requirement(
      "backup.system-managed-left-out",
      "What the system keeps for itself stays out: launch images, saved state, synced "
        + "preferences, and the directories beside Documents and Library.",
      .observed, [.observed]),
  ]

  /// By mark.
  private static let backupMarks = [
    Scenario.Requirement(
      "backup.marked-file-left-out", "A marked file stays out of backups.",
      .documented, [.appleGuidelines2011, .appleQA1719]),
    Scenario.Requirement(
      "backup.marked-directory-left-out",
      "A marked directory stays out with all it holds, whatever comes into it later too.",
      .documented, [.appleGuidelines2011, .appleQA1719]),
    Scenario.Requirement(
      "backup.marks-are-guidance",
      "The system may back up a marked item all the same, and an app copes with finding it.",
      .documented, [.appleOptimizing, .eidinger]),
  ]

  /// By name and kind.
  private static let backupDetails = [
    Scenario.Requirement(
      "backup.save-remnants-left-out",
      "What an interrupted save left behind stays out, and so does any file named like it: "
        + "'.dat.nosync…', or '.plist.' and seven characters.",
      .observed, [.observed]),
    Scenario.Requirement(
      "backup.links-not-followed",
      "A link is stored as a link; what it points to goes by its own place.",
      .observed, [.observed]),
    Scenario.Requirement(
      "backup.empty-directories", "A directory is stored even when nothing is in it.",
      .observed, [.observed]),
  ]
}
