import BackupTesting
import Foundation
import Testing

@testable import BackupScenarios
@testable import BackupVerdicts

/// `allowsProcesses` of a test.
struct RunPermissionTests {
  /// A scenario that runs a tool.
  private static func scenario() throws -> Scenario {
    try Scenario(text: "{ title: 'A tool', steps: [{ run: ['true'] }, { backup: 'one' }] }")
  }

  /// Runs it with its golden file in a folder that is removed.
  private func verdict(
    _ scenario: Scenario, allowsProcesses: Bool
  ) async -> ScenarioResult.Verdict? {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("run-permission-tests-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    return await scenario.run(
      allowsProcesses: allowsProcesses, goldenFolder: folder.path, recordMode: .all)?.verdict
  }

  @Test func `a test permits processes`() async throws {
    let scenario = try Self.scenario()
    await withKnownIssue("a golden file is recorded") {
      #expect(await verdict(scenario, allowsProcesses: true) == .recorded)
    }
  }

  @Test func `without that the run breaks off`() async throws {
    let scenario = try Self.scenario()
    await withKnownIssue("the step is refused") {
      #expect(await verdict(scenario, allowsProcesses: false) == .error)
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains("--allow-run") }
    }
  }
}
