import BackupDevice

extension RequirementCatalogue {
  /// What was different under the first systems with backups to iCloud.
  static let era = [
    Scenario.Requirement(
      "era.5-0-no-mark",
      "Up to iOS 5.0 marks mean nothing: only what is in Caches and tmp stays out.",
      .documented, [.appleQA1719]),
    Scenario.Requirement(
      "era.5-0-1-attribute", "iOS 5.0.1 goes by the extended attribute.",
      .documented, [.appleQA1719]),
    Scenario.Requirement(
      "era.5-1-resource-value", "There is a resource value to set from iOS 5.1 on, not before.",
      .documented, [.appleQA1719]),
    Scenario.Requirement(
      "era.upgrade-honours-marks",
      "An attribute that meant nothing to the old system counts once the device has 5.0.1.",
      .documented, [.appleGuidelines2011]),
    Scenario.Requirement(
      "era.5-0-degrade-in-caches",
      "For iOS 5.0 such data goes into Caches, and the app gets by when it is deleted there.",
      .documented, [.appleQA1719]),
  ]
}
