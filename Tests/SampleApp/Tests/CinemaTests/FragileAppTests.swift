import BackupExploring
import BackupTesting
import Testing

@Suite struct FragileAppTests {
  @Test(arguments: FragileApp.all)
  func `Each fragile app passes while nothing comes between`(_ app: FragileApp) async throws {
    let result = try await scenario(of: app).run(app.app, options: .init(recordMode: .never))
    #expect(result?.runs.flatMap(\.findings).isEmpty == true)
  }

  #if os(Linux)
  // Elsewhere nobody sees amid which saves it can be ended.
  @Test(arguments: FragileApp.all)
  func `Each fragile app is found where it is explored`(_ app: FragileApp) async throws {
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

  /// The scenario that shows what is wrong with an app.
  private func scenario(of app: FragileApp) throws -> Scenario {
    let scenarios = try Scenario.all(matching: app.scenario)
    return try #require(scenarios.first)
  }
}
