package import BackupScenarios
package import BackupVerdicts
import TestSupport

/// The kit's own scenarios and golden files.
package enum OwnSuite {
  /// What reading the scenarios gave.
  private static let reading = Result {
    try ScenarioFolder(path: Checkout.scenarioFolder).scenarios()
  }

  package static var scenarios: [Scenario] {
    get throws { try reading.get() }
  }

  /// A suite as the kit runs it, strictly, writing nothing.
  package static var suite: ScenarioSuite {
    var suite = ScenarioSuite(
      goldens: GoldenStore(folder: Checkout.goldenFolder), recordMode: .never)
    suite.isStrict = true
    return suite
  }
}
