import BackupDevice

extension RequirementCatalogue {
  /// What an update of the app leaves in place.
  static let update = [
    Scenario.Requirement(
      "update.carries-documents-and-library", "Documents and Library come through an update.",
      .documented, [.appleFSPG],
      breach: .impossible(because: "the system carries them over, whatever an app does")),
    Scenario.Requirement(
      "update.rest-not-promised", "Anything else may come through an update or be gone after it.",
      .documented, [.appleFSPG]),
    Scenario.Requirement(
      "update.container-path-changes",
      "The container may get another path, so an absolute path that was stored leads nowhere.",
      .observed, [.observed, .appleFSPG],
      breach: .boundAction(
        because: "the steps of a scenario file name no absolute path; an app's own code can")),
  ]
}
