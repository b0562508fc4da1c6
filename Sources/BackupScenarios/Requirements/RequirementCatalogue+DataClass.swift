import BackupDevice

extension RequirementCatalogue {
  /// Where each class of data belongs.
  static let dataClass = dataClassPlaces + dataClassLimits

  /// The place of each class.
  private static let dataClassPlaces = [
    Scenario.Requirement(
      "class.critical",
      "What is the user's and cannot be made again is in Documents, or in Library, unmarked, and "
        + "so in every backup.",
      .documented, [.appleGuidelines2011]),
    Scenario.Requirement(
      "class.support",
      "What the app needs and can fetch again is marked, and lies where nothing is purged.",
      .documented, [.appleGuidelines2011, .appleOptimizing]),
    Scenario.Requirement(
      "class.offline",
      "What the user wants without a network, and can fetch again, is marked, and lies where "
        + "nothing is purged.",
      .documented, [.appleGuidelines2011, .appleOptimizing]),
    Scenario.Requirement(
      "class.cached", "What only saves time is in Library/Caches, and the app can do without it.",
      .documented, [.appleGuidelines2011]),
    Scenario.Requirement(
      "class.temporary", "What only the task at hand needs is in tmp, and deleted after it.",
      .documented, [.appleGuidelines2011]),
  ]

  /// What holds across classes.
  private static let dataClassLimits = [
    Scenario.Requirement(
      "class.nonpurgeable-not-in-caches",
      "Data that must last is not put into a purgeable place to keep it out of backups.",
      .documented, [.appleOptimizing]),
    Scenario.Requirement(
      "class.only-critical-backed-up", "Nothing that can be made or fetched again is in a backup.",
      .documented, [.appReview223, .eidinger]),
    Scenario.Requirement(
      "class.deleted-when-unneeded",
      "Offline and temporary files are deleted by the app once they have served.",
      .documented, [.appleGuidelines2011]),
  ]
}
