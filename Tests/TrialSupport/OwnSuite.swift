package import BackupScenarios
package import BackupVerdicts
import TestSupport

/// The kit's own scenarios and golden files.
package enum OwnSuite {
  /// The scenarios, or the error of reading them. All tests share one reading.
  private static let readScenarios = Result {
    try ScenarioFolder(path: Checkout.scenarioFolder).scenarios()
  }

  package static var scenarios: [Scenario] {
    get throws { try readScenarios.get() }
  }

  /// A strict suite that compares runs with the golden files, and writes no files.
  package static var suite: ScenarioSuite {
    var suite = ScenarioSuite(
      goldens: GoldenStore(folder: Checkout.goldenFolder), recordMode: .never)
    suite.isStrict = true
    return suite
  }
}
