import BackupDevice

extension RequirementCatalogue {
  /// What the system takes when the device is short of space.
  static let purge = [
    Scenario.Requirement(
      "purge.caches", "When storage runs low the system deletes what is in Library/Caches.",
      .documented, [.appleOptimizing, .appleGuidelines2011]),
    Scenario.Requirement(
      "purge.tmp", "The system may empty tmp.",
      .documented, [.appleOptimizing, .appleGuidelines2011]),
    Scenario.Requirement(
      "purge.documents-kept", "Documents, and Library but for Caches, are not purged.",
      .documented, [.appleGuidelines2011],
      breach: .impossible(because: "no app can make the system purge Documents or Library")),
    Scenario.Requirement(
      "purge.marked-kept", "A mark does not make an item in Documents or Library purgeable.",
      .documented, [.appleGuidelines2011],
      breach: .impossible(because: "only Caches and tmp are purged, whatever an app does")),
    Scenario.Requirement(
      "purge.mark-protects-nothing-in-caches",
      "A mark does not save a file in Caches; up to iOS 8 it did, by the guidelines of 2011.",
      .observed, [.observed, .appleGuidelines2011]),
    Scenario.Requirement(
      "purge.all-or-nothing",
      "From iOS 9 on Caches goes whole and is made anew, empty and unmarked; earlier systems "
        + "deleted single files.",
      .observed, [.observed]),
    Scenario.Requirement(
      "purge.not-while-running",
      "An app is not purged while it runs: what it then lacks it can make again when it starts.",
      .documented, [.appleFSPG]),
  ]
}
