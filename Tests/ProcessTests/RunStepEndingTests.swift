import BackupScenarios
import Foundation
import TestSupport
import Testing

/// Nothing that a step starts outlives it.
@Suite(.timeLimit(.minutes(2))) struct RunStepEndingTests {
  /// The folder with tools.
  let folder: TestFolder
  /// What shows whether a process lives.
  let writers: Writers

  init() throws {
    folder = try TestFolder()
    writers = try Writers(in: folder.url)
  }

  @Test func `a tool that takes too long is killed`() async throws {
    let transcript = try await folder.run(
      shell("exec 3> '\(writers.path)'; exec sleep 3600", "timeLimit: 0.2"))
    #expect(
      transcript.failure?.message
        == "'/bin/sh' did not end within its time limit of 0.2 seconds, and was killed with all "
        + "that it started; 'timeLimit' allows more")
    #expect(writers.writtenToTheEnd() != nil)
  }

  @Test func `so is one that ignores signals, with all that it started`() async throws {
    let script = "trap '' TERM INT HUP; exec 3> '\(writers.path)'; sleep 3600 & sleep 3600"
    let transcript = try await folder.run(shell(script, "timeLimit: 0.2"))
    #expect(transcript.failure?.message.contains("time limit") == true)
    #expect(writers.writtenToTheEnd() != nil)
  }

  @Test func `what it printed until then is kept`() async throws {
    let transcript = try await folder.run(shell("echo begun; exec sleep 3600", "timeLimit: 2"))
    #expect(transcript.outputs == ["begun"])
  }

  @Test func `a process left running is killed, and does not keep the step waiting`() async throws {
    let script = "exec 3> '\(writers.path)'; sleep 3600 & echo left >&3"
    let transcript = try await folder.run(shell(script))
    #expect(transcript.failure?.message == nil)
    #expect(writers.writtenToTheEnd() == "left\n")
  }

  @Test func `the tool that printed without end is killed too`() async throws {
    let transcript = try await folder.run("{ run: ['yes'], timeLimit: 0.2 }")
    #expect(transcript.failure?.message.contains("time limit") == true)
    #expect(transcript.outputs.allSatisfy { $0.utf8.count < 66_000 })
  }

  @Test func `a cancelled test kills it`() async throws {
    let scenario = try folder.scenario(shell("exec 3> '\(writers.path)'; exec sleep 3600"))
    let task = Task {
      try await ScenarioRunner(allowsProcesses: true).run(scenario, scenario.variants[0])
    }
    task.cancel()
    let transcript = try await task.value
    #expect(transcript.failure?.message.contains("the test was cancelled") == true)
    #expect(writers.writtenToTheEnd() != nil)
  }

  @Test func `no child is left to be reaped`() async throws {
    let transcript = try await folder.run(shell("echo $$"))
    let process = try #require(transcript.lines.first.flatMap { pid_t($0) })
    #expect(waitpid(process, nil, WNOHANG) == -1 && errno == ECHILD)
  }
}
