import BackupDiagnostics
import Testing
import TrialSupport

@testable import BackupContainer
@testable import BackupScenarios
@testable import BackupVerdicts

/// A run fails if its container cannot be removed.
@Suite struct LeftContainerTests {
  /// A runner that removes no container.
  private var runner: ScenarioRunner {
    var runner = ScenarioRunner()
    runner.alwaysUsesDirectory = true
    runner.removeContainer = { container, _ throws(RunError) in
      throw RunError(unavailablePath: "/containers/1", reason: "cannot be removed: it is busy")
    }
    return runner
  }

  @Test func `its transcript has the failure at the last step`() async throws {
    let transcript = try await Trial.transcript(
      ["{ save: 'Documents/a', size: 1 }", "{ backup: 'first' }"], runner: runner)
    #expect(transcript.entries.compactMap(\.event.backup).map(\.label) == ["first"])
    #expect(transcript.failure?.step.description == "step 2")
    #expect(transcript.failure?.message == "/containers/1: cannot be removed: it is busy")
  }

  @Test func `a step that failed before is named first`() async throws {
    let transcript = try await Trial.transcript(
      ["{ remove: 'Documents/a' }", "{ backup: 'first' }"], runner: runner)
    #expect(transcript.failure?.step.description == "step 1")
    #expect(
      transcript.failure?.message
        == "no such file: 'Documents/a'; /containers/1: cannot be removed: it is busy")
  }
}
