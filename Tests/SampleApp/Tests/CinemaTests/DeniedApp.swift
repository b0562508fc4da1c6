import BackupTesting
import Testing

/// The app with one fault in its code that causes no error, in a process of its own.
struct DeniedApp: Sendable, CustomTestStringConvertible {
  /// The fault, as the name of the test case.
  let testDescription: String
  /// The id of the scenario that shows the fault.
  let scenario: String
  /// The name of the rule that reports the fault.
  let rule: String
  let app: any AppUnderTest.Type

  static let all = [
    DeniedApp(
      testDescription: "A copy for the user in a folder that a device refuses",
      scenario: "movies/exported", rule: "refused-place", app: ExportsToDownloads.self),
    DeniedApp(
      testDescription: "A movie looked for where it was before the update",
      scenario: "movies/updated", rule: "stale-container-path", app: LooksWhereMoviesWere.self),
    DeniedApp(
      testDescription: "A movie expected on a new phone because the settings name it",
      scenario: "movies/restored", rule: "app-check-failed", app: ExpectsMovieOnNewPhone.self),
  ]
}

#if os(Linux)
// On other platforms, the calls of the first app succeed, and the kit does not see the path that
// the second app looks for.
@Suite struct DeniedAppTests {
  @Test(arguments: DeniedApp.all)
  func `Each fault is found, although no call of the app fails`(_ app: DeniedApp) async throws {
    let scenarios = try Scenario.all(matching: app.scenario)
    let scenario = try #require(scenarios.first)
    var errors: [String] = []
    await withKnownIssue {
      let result = try #require(await scenario.run(app.app, options: .init(recordMode: .never)))
      errors = result.runs.flatMap(\.findings).filter { $0.severity == .error }
        .map(\.rule)
    }
    #expect(Set(errors) == [app.rule])
  }
}
#endif
