#if os(macOS) || os(Linux)
import TestSupport
import Testing

@testable import BackupScenarios
@testable import BackupTesting
@testable import BackupVerdicts

/// The option `allowsProcesses` of a run.
struct RunPermissionTests {
  /// The folder of the golden file.
  private let folder: TestFolder
  /// A scenario that runs a tool.
  private let scenario: Scenario

  init() throws {
    folder = try TestFolder()
    scenario = try Scenario(
      text: "{ title: 'A tool', steps: [{ save: 'tmp/a', size: 1 }, { run: ['true'] }] }")
  }

  private func verdict(allowsProcesses: Bool) async -> ScenarioResult.Verdict? {
    let options = Scenario.RunOptions(
      allowsProcesses: allowsProcesses, goldenFolder: folder.path, recordMode: .all)
    // A separate `TestProcess` keeps this golden file out of the summary that this process prints.
    let process = TestProcess(environment: [:], folder: folder.url)
    return await TestProcess.$current.withValue(process) {
      await scenario.run(options: options)?.verdict
    }
  }

  @Test func `with allowsProcesses, the tool runs`() async {
    let issues = await TestIssue.collecting {
      #expect(await verdict(allowsProcesses: true) == .recorded)
    }
    #expect(issues.allSatisfy { !$0.isFailure })
  }

  @Test func `without allowsProcesses, the run fails`() async {
    let issues = await TestIssue.collecting {
      #expect(await verdict(allowsProcesses: false) == .error)
    }
    #expect(!issues.isEmpty)
    #expect(issues.allSatisfy { $0.text.contains("--allow-run") })
  }
}
#endif
