import BackupExploring
import BackupTesting
import Testing

@Suite struct FragileAppTests {
  @Test(arguments: FragileApp.all)
  func `Each fragile app passes if iOS does not end it`(_ app: FragileApp) async throws {
    let result = try await scenario(of: app).run(app.app, options: .init(recordMode: .never))
    #expect(result?.runs.flatMap(\.findings).isEmpty == true)
  }

  #if os(Linux)
  // On other platforms, the kit does not see the saves during which iOS could end the app.
  @Test(arguments: FragileApp.all)
  func `Each fragile app fails when it is explored`(_ app: FragileApp) async throws {
    let scenario = try scenario(of: app)
    await withKnownIssue {
      await scenario.explore(app.app, options: .init(recordMode: .never))
    } when: {
      Faults.areExpected
    } matching: { issue in
      issue.comments.contains {
        $0.rawValue.hasPrefix("\(app.rule): ") && $0.rawValue.contains("(killed in step")
      }
    }
  }
  #endif

  /// Returns the scenario that shows the fault of an app.
  private func scenario(of app: FragileApp) throws -> Scenario {
    let scenarios = try Scenario.all(matching: app.scenario)
    return try #require(scenarios.first)
  }
}
