import BackupTesting
import TestSupport
import Testing

@testable import BackupScenarios
@testable import BackupVerdicts

/// `allowsProcesses` of a test.
struct RunPermissionTests {
  /// The folder of the golden file.
  private let folder: TestFolder
  /// A scenario that runs a tool.
  private let scenario: Scenario

  init() throws {
    folder = try TestFolder()
    scenario = try Scenario(
      text: "{ title: 'A tool', steps: [{ run: ['true'] }, { backup: 'one' }] }")
  }

  private func verdict(allowsProcesses: Bool) async -> ScenarioResult.Verdict? {
    let options = Scenario.RunOptions(
      allowsProcesses: allowsProcesses, goldenFolder: folder.path, recordMode: .all)
    return await scenario.run(options: options)?.verdict
  }

  @Test func `a test permits processes`() async {
    await withKnownIssue("a golden file is recorded") {
      #expect(await verdict(allowsProcesses: true) == .recorded)
    }
  }

  @Test func `without that the run breaks off`() async {
    await withKnownIssue("the step is refused") {
      #expect(await verdict(allowsProcesses: false) == .error)
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains("--allow-run") }
    }
  }
}
