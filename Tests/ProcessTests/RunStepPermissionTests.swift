#if os(macOS) || os(Linux)
import BackupScenarios
import Foundation
import TestSupport
import Testing

/// A process is only started where that is permitted.
struct RunStepPermissionTests {
  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
  }

  @Test func `it is refused unless it is permitted, and the message says how`() async throws {
    let trace = folder.url("trace").path
    let transcript = try await folder.run(shell("touch '\(trace)'"), isAllowed: false)
    let message = try #require(transcript.failure?.message)
    #expect(message.contains("needs permission"))
    #expect(message.contains("scenario.run(options: .init(allowsProcesses: true))"))
    #expect(message.contains("--allow-run"))
    #expect(!folder.exists("trace"))
    #expect(transcript.outputs.isEmpty)
  }

  @Test func `a runner permits nothing by itself`() {
    #expect(!ScenarioRunner().permissions.contains(.processes))
  }

  @Test func `the same step runs where it is permitted`() async throws {
    let trace = folder.url("trace").path
    let transcript = try await folder.run(shell("touch '\(trace)'"))
    #expect(transcript.failure?.message == nil)
    #expect(folder.exists("trace"))
  }

  @Test func `throws cannot make a refusal pass`() async throws {
    let transcript = try await folder.run(
      shell("exit 1", "throws: true"), isAllowed: false)
    #expect(transcript.failure?.message.contains("needs permission") == true)
  }

  @Test func `what comes before it runs, and the failure stands at the step`() async throws {
    let transcript = try await folder.run(
      "{ save: 'Documents/a', size: 1 }, { backup: 'one' }, \(shell("true"))", isAllowed: false)
    #expect(transcript.failure?.step.number == .step(3))
    #expect(transcript.systemEntries.count == 1)
  }
}
#endif
