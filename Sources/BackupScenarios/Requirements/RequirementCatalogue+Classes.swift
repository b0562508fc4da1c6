import BackupDevice

extension RequirementCatalogue {
  /// Where each class of data belongs.
  static let dataClass = [
    // The place of each class.
    Scenario.Requirement(
      "class.critical",
      "What is the user's and cannot be made again is unmarked in every backup: in Documents by the "
        + "guidelines, or in Library, which the File System Programming Guide allows.",
      about: .place, evidence: .documented, from: [.appleGuidelines2011, .appleFSPG]),
    Scenario.Requirement(
      "class.support",
      "What the app needs and can fetch again is marked, and lies where nothing is purged.",
      about: .place, evidence: .documented, from: [.appleGuidelines2011, .appleOptimizing]),
    Scenario.Requirement(
      "class.offline",
      "What the user wants without a network, and can fetch again, is marked, and lies where "
        + "nothing is purged.",
      about: .place, evidence: .documented, from: [.appleGuidelines2011, .appleOptimizing]),
    Scenario.Requirement(
      "class.cached", "What only saves time is in Library/Caches, and the app can do without it.",
      about: .place, evidence: .documented, from: [.appleGuidelines2011]),
    Scenario.Requirement(
      "class.temporary", "What only the task at hand needs is in tmp, and deleted after it.",
      about: .place, evidence: .documented, from: [.appleGuidelines2011]),
    Scenario.Requirement(
      "class.secret",
      "What must not leave the device is in no backup, whether marks are followed or not: it is in "
        + "the keychain, or where no backup looks.",
      about: .secrecy, evidence: .observed, from: [.eidinger, .appleKeychain]),
    // What holds across classes.
    Scenario.Requirement(
      "class.documents-are-the-users",
      "Documents is for what the user made; beside it only marked data for use without a network "
        + "may lie there.",
      about: .place, evidence: .documented, from: [.appleGuidelines2011]),
    Scenario.Requirement(
      "class.nonpurgeable-not-in-caches",
      "Data that must last is not put into a purgeable place to keep it out of backups.",
      about: .place, evidence: .documented, from: [.appleOptimizing]),
    Scenario.Requirement(
      "class.only-critical-backed-up", "Nothing that can be made or fetched again is in a backup.",
      about: .place, evidence: .documented,
      from: [.appleGuidelines2011, .appReview223, .ios5BackupPost]),
    // What is deleted once it has served.
    Scenario.Requirement(
      "class.offline-deleted",
      "The app itself deletes offline files that have served: they are marked, not purged, and fill "
        + "the device.",
      about: .deletion, evidence: .documented, from: [.appleGuidelines2011]),
    Scenario.Requirement(
      "class.cached-deleted",
      "The app deletes cached files that have served, and does not wait for a purge.",
      about: .deletion, evidence: .documented, from: [.appleOptimizing]),
    Scenario.Requirement(
      "class.temporary-deleted", "The app deletes temporary files once their task is done.",
      about: .deletion, evidence: .documented, from: [.appleGuidelines2011, .appleOptimizing]),
  ]
}
