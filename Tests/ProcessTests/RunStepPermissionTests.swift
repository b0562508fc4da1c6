#if os(macOS) || os(Linux)
import BackupScenarios
import Foundation
import TestSupport
import Testing

/// A `run` step starts a process only with permission.
struct RunStepPermissionTests {
  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
  }

  @Test func `without permission, the message says how to give it`() async throws {
    let touchedPath = folder.url("trace").path
    let transcript = try await folder.run(shell("touch '\(touchedPath)'"), isAllowed: false)
    let message = try #require(transcript.failure?.message)
    #expect(message.contains("needs permission"))
    #expect(message.contains("scenario.run(options: .init(allowsProcesses: true))"))
    #expect(message.contains("--allow-run"))
    #expect(!folder.exists("trace"))
    #expect(transcript.outputs.isEmpty)
  }

  @Test func `a runner permits no processes by default`() {
    #expect(!ScenarioRunner().permissions.contains(.processes))
  }

  @Test func `throws does not expect a missing permission`() async throws {
    let transcript = try await folder.run(
      shell("exit 1", "throws: true"), isAllowed: false)
    #expect(transcript.failure?.message.contains("needs permission") == true)
  }

  @Test func `earlier steps run, and the failure is in the step without permission`() async throws {
    let transcript = try await folder.run(
      "{ save: 'Documents/a', size: 1 }, { backup: 'one' }, \(shell("true"))", isAllowed: false)
    #expect(transcript.failure?.step.number == .step(3))
    #expect(transcript.systemEntries.count == 1)
  }
}
#endif
