import BackupScenarios
import BackupVerdicts
import TestSupport
import Testing

@testable import BackupTesting

/// The trait `recording` decides when scenarios record golden files.
@Suite(.recording(.failed)) struct RecordingTraitTests {
  /// A scenario that is compared with a golden file.
  private static let compared =
    "{ title: 'Compared', steps: [{ save: 'Documents/a', size: 1 }, { backup: 'one' }] }"

  /// Runs a scenario in a separate `TestProcess`, so that the real one does not report the
  /// recording.
  private func run(_ scenario: Scenario, in sandbox: ScenarioSandbox) async {
    let process = TestProcess(environment: [:], folder: sandbox.folder.url)
    _ = await TestProcess.$current.withValue(process) { await scenario.run() }
  }

  @Test func `a trait of the suite decides when golden files are written`() async throws {
    let sandbox = try ScenarioSandbox(["s.json5": Self.compared])
    try sandbox.folder.write("# golden 2: s\n", to: "Golden/s.golden")
    let scenario = try #require(try Scenario.all(in: sandbox.scenarios).first)
    let issues = await TestIssue.collecting { await run(scenario, in: sandbox) }
    #expect(issues.isEmpty)
    #expect(try sandbox.folder.text(of: "Golden/s.golden").contains("\nbackup "))
  }

  @Test(.recording(.never)) func `the innermost trait decides`() async throws {
    let sandbox = try ScenarioSandbox(["s.json5": Self.compared])
    let scenario = try #require(try Scenario.all(in: sandbox.scenarios).first)
    let issues = await TestIssue.collecting { await run(scenario, in: sandbox) }
    #expect(!issues.isEmpty)
    #expect(try sandbox.folder.names().allSatisfy { !$0.hasSuffix(".golden") })
  }
}
