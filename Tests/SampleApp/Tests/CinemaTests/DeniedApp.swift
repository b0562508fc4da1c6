import BackupTesting
import Testing

/// The app with one thing wrong in its code that fails without a word, as a process of its own.
struct DeniedApp: Sendable, CustomTestStringConvertible {
  /// What is wrong, as the test case's name.
  let testDescription: String
  /// The scenario that shows it, by its id.
  let scenario: String
  /// The rule that it breaks.
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
// Elsewhere the first one's calls succeed, and what the second looks for is not seen.
@Suite struct DeniedAppTests {
  @Test(arguments: DeniedApp.all)
  func `Each denied app is found though nothing fails`(_ app: DeniedApp) async throws {
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
