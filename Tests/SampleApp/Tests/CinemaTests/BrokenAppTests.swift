import BackupTesting
import Testing

@Suite struct BrokenAppTests {
  @Test(arguments: BrokenApp.all)
  func `Each broken app is caught by the rule that knows better`(_ app: BrokenApp) async throws {
    var rules: Set<String> = []
    await withKnownIssue {
      rules = try await rulesBroken(by: app.actions, in: app.scenario)
    }
    #expect(rules == app.rules)
  }

  @Test(arguments: BrokenApp.all)
  func `The right app has no finding in the same scenario`(_ app: BrokenApp) async throws {
    #expect(try await rulesBroken(by: .cinema, in: app.scenario) == [])
  }

  /// The rules that an app breaks in a scenario, warnings and advice included.
  private func rulesBroken(by app: AppActions, in id: String) async throws -> Set<String> {
    let scenarios = try Scenario.all(matching: id)
    let scenario = try #require(scenarios.first)
    let result = try #require(await scenario.run(actions: app, options: .init(recordMode: .never)))
    return Set(result.runs.flatMap(\.findings).map(\.finding.rule))
  }
}
