import BackupTesting
import Testing

@Suite struct CinemaScenarioTests {
  @Test(arguments: try Scenario.all(in: "../../Scenarios"))
  func `The app's files are where they belong`(_ scenario: Scenario) async {
    await scenario.run(actions: .cinema)
  }
}
