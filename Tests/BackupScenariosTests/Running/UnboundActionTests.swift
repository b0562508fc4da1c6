import BackupScenarios
import BackupVerdicts
import Testing

@testable import BackupRules

/// An action that no test binds.
struct UnboundActionTests {
  @Test(arguments: ["", "throws: true", "throws: 'noSuchFile'"])
  func `fails its step, even if the step has 'throws'`(_ keys: String) async throws {
    let scenario = try Scenario(
      text: "{ title: 'x', steps: [{ perform: 'nothing', \(keys) }] }")
    let transcript = try await ScenarioRunner().run(scenario, scenario.variants[0])
    #expect(transcript.failure?.message.hasPrefix("the action 'nothing' is not bound") == true)
  }
}
