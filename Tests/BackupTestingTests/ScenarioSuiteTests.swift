import BackupTesting
import Testing

@testable import BackupScenarios

/// The kit's own scenarios against their golden files, as a user's test would run them.
@Suite struct ScenarioSuiteTests {
  @Test(arguments: try Scenario.all())
  func `the scenario ends as its golden file says`(_ scenario: Scenario) async {
    await scenario.run()
  }
}
