@testable import BackupScenarios
@testable import BackupVerdicts

/// The kit's own scenarios and golden files.
enum OwnSuite {
  /// The repository's folder.
  private static let folder =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
    .joined(separator: "/")

  /// What reading the scenarios gave.
  private static let reading = Result {
    try ScenarioFolder(path: "\(folder)/Scenarios").scenarios()
  }

  /// Every scenario.
  static var scenarios: [Scenario] {
    get throws { try reading.get() }
  }

  /// A suite as the kit runs it, strictly, writing nothing.
  static var suite: ScenarioSuite {
    var suite = ScenarioSuite(
      goldens: GoldenStore(folder: "\(folder)/Golden"), recordMode: .never)
    suite.isStrict = true
    return suite
  }
}
