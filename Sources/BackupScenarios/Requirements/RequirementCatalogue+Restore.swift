import BackupDevice

extension RequirementCatalogue {
  /// What a new device has of the old one.
  static let restore = [
    Scenario.Requirement(
      "restore.only-what-was-backed-up",
      "A restored container lacks all that the backup left out, marked directories included.",
      .documented, [.appleQA1719]),
    Scenario.Requirement(
      "restore.exists-before-use",
      "An app makes sure that a support file is there before it uses it.",
      .documented, [.appReview223]),
    Scenario.Requirement(
      "restore.recreated-directory-needs-mark",
      "A directory that was marked and is made again after a restore has to be marked again.",
      .documented, [.appleOptimizing]),
  ]
}
