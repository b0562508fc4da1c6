import Foundation
import TestSupport
import Testing

@testable import BackupScenarios
@testable import BackupTesting
@testable import BackupVerdicts

/// The variable `BACKUP_TESTING_FILTER` selects scenarios.
@Suite struct ScenarioFilterTests {
  /// A scenario that fails, because no test binds its action.
  private static let failingScenario = """
    { title: 'Wrong', golden: { compare: false }, steps: [{ perform: 'a' }] }
    """

  /// Returns the ids of a folder's scenarios that the filter selects.
  private func ids(
    _ filter: String, of sandbox: ScenarioSandbox, matching glob: String = "**"
  ) throws -> [String] {
    let process = TestProcess(
      environment: [TestProcess.filterVariable: filter], folder: sandbox.folder.url)
    return try TestProcess.$current.withValue(process) {
      try Scenario.all(in: sandbox.scenarios, matching: glob).map(\.id)
    }
  }

  /// Returns the error if the filter selects no scenario.
  private func complaint(_ filter: String, of sandbox: ScenarioSandbox) -> String {
    let error = #expect(throws: RunError.self) { try ids(filter, of: sandbox) }
    return error.map { "\($0.code): \($0)" } ?? ""
  }

  /// Runs all scenarios of a folder in a new test process, once with each set of actions.
  private func run(_ sandbox: ScenarioSandbox, _ actions: AppActions...) async throws {
    let process = TestProcess(environment: [:], folder: sandbox.folder.url)
    try await TestProcess.$current.withValue(process) {
      for scenario in try Scenario.all(in: sandbox.scenarios) {
        for actions in actions {
          _ = await TestIssue.collecting { await scenario.run(actions: actions) }
        }
      }
    }
  }

  @Test func `a glob selects those of the test's scenarios whose ids it matches`() throws {
    let sandbox = try ScenarioSandbox([
      "a/b.json5": ScenarioSandbox.right, "a/c.json5": ScenarioSandbox.right,
      "d.json5": ScenarioSandbox.right,
    ])
    #expect(try ids("a/*", of: sandbox) == ["a/b", "a/c"])
    #expect(try ids("**", of: sandbox, matching: "a/c") == ["a/c"])
    #expect(try ids("", of: sandbox).count == 3)
  }

  @Test func `a tag selects the scenarios that have it`() throws {
    let tagged = ScenarioSandbox.right.replacing("title:", with: "tags: ['movies'], title:")
    let sandbox = try ScenarioSandbox(["a.json5": tagged, "b.json5": ScenarioSandbox.right])
    #expect(try ids("tag:movies", of: sandbox) == ["a"])
    #expect(
      complaint("tag:books", of: sandbox)
        == "noScenario: BACKUP_TESTING_FILTER: no scenario in \(sandbox.scenarios) has the tag "
        + "'books', and a test of no scenario would always pass; correct or unset the variable")
  }

  @Test func `a filter that selects none is an error that names the variable`() throws {
    let sandbox = try ScenarioSandbox(["a/b.json5": ScenarioSandbox.right])
    #expect(
      complaint("x/**", of: sandbox)
        == "noScenario: BACKUP_TESTING_FILTER: no scenario in \(sandbox.scenarios) matches "
        + "'x/**', and a test of no scenario would always pass; correct or unset the variable")
    #expect(complaint("../x", of: sandbox).hasPrefix("invalidPath: BACKUP_TESTING_FILTER: "))
  }

  @Test func `'failed' selects the scenarios that failed in an earlier process, until they pass`()
    async throws
  {
    let sandbox = try ScenarioSandbox([
      "a.json5": Self.failingScenario, "b.json5": ScenarioSandbox.right,
    ])
    let place = sandbox.folder.url("backup-testing-failed.json").path
    #expect(
      complaint("failed", of: sandbox).contains(
        "failed in its last run, according to \(place), and"))
    try await run(sandbox, [:])
    #expect(try ids("failed", of: sandbox) == ["a"])
    try await run(sandbox, ["a": { _ in }])
    #expect(
      complaint("failed", of: sandbox).hasPrefix(
        "noScenario: BACKUP_TESTING_FILTER: no scenario in"))
  }

  @Test func `a damaged list of failed scenarios is an error, and not an empty list`() async throws
  {
    let sandbox = try ScenarioSandbox([
      "a.json5": Self.failingScenario, "b.json5": ScenarioSandbox.right,
    ])
    try sandbox.folder.write("[", to: "backup-testing-failed.json")
    #expect(
      complaint("failed", of: sandbox).contains(
        "the list of the scenarios that failed cannot be read: it is damaged; run all scenarios"))
    try await run(sandbox, [:])
    #expect(try ids("failed", of: sandbox) == ["a"])
  }

  @Test func `a scenario that fails in one test and passes in another has failed`() async throws {
    let sandbox = try ScenarioSandbox(["a.json5": Self.failingScenario])
    try await run(sandbox, [:], ["a": { _ in }])
    #expect(try ids("failed", of: sandbox) == ["a"])
  }

  @Test func `a file with mistakes has failed, and a file that is gone is forgotten`() async throws
  {
    let sandbox = try ScenarioSandbox(["a.json5": "{", "b.json5": ScenarioSandbox.right])
    try await run(sandbox, [:])
    #expect(try ids("failed", of: sandbox) == ["a"])
    try FileManager.default.removeItem(atPath: "\(sandbox.scenarios)/a.json5")
    try sandbox.folder.write(Self.failingScenario, to: "Scenarios/b.json5")
    try await run(sandbox, [:])
    let failedScenarios = try sandbox.folder.text(of: "backup-testing-failed.json")
    #expect(failedScenarios.contains("b.json5") && !failedScenarios.contains("a.json5"))
  }
}
