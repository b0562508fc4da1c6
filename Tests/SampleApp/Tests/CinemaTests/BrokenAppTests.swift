import BackupTesting
import Testing

/// The right app has no finding in these scenarios, as ``CinemaScenarioTests`` shows of each.
@Suite struct BrokenAppTests {
  @Test(arguments: BrokenApp.all)
  func `Each broken app is caught by the rule that knows better`(_ app: BrokenApp) async throws {
    let scenarios = try Scenario.all(matching: app.scenario)
    let scenario = try #require(scenarios.first)
    var rules: Set<String> = []
    await withKnownIssue {
      let result = await scenario.run(actions: app.actions, options: .init(recordMode: .never))
      // Warnings and advice included.
      rules = Set(try #require(result).runs.flatMap(\.findings).map(\.finding.rule))
    }
    #expect(rules == app.rules)
  }
}
