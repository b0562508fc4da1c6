import BackupDevice

extension RequirementCatalogue {
  /// What a new container looks like.
  static let layout = [
    Scenario.Requirement(
      "layout.standard-directories",
      "A newly installed app finds Documents, Library, Library/Caches, Library/Preferences and tmp.",
      .observed, [.eidinger],
      breach: .impossible(because: "the system lays the container out")),
    Scenario.Requirement(
      "layout.application-support-absent",
      "Library/Application Support does not exist before the app makes it.",
      .observed, [.eidinger]),
  ]
}
