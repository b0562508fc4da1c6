#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

@testable import BackupApp
@testable import BackupScenarios

/// Nothing that a step starts outlives it.
@Suite struct RunStepEndingTests {
  /// What has the pipe open, and has said so.
  private static let open = "echo ready >&3; "

  let folder: TestFolder
  /// What shows whether a process lives.
  let writers: Writers

  init() throws {
    folder = try TestFolder()
    writers = try Writers(in: folder.url)
  }

  /// Runs a script that opens the pipe, and ends its time as soon as it has.
  private func runUntilOpen(_ script: String) async throws -> ProcessCommand.End {
    let bell = try ExitEvent(for: "sh")
    let command = ProcessCommand(
      executable: "/bin/sh", words: ["sh", "-c", "exec 3> '\(writers.path)'; " + script],
      environment: ["PATH": "/usr/bin:/bin"], directory: folder.path, timeLimit: 600)
    async let end = onThread {
      Result { () throws(AppFailure) in try command.run(waking: bell) }
    }
    let words = await writers.firstWords()
    bell.signal(.timeLimit)
    let termination = try await end.get()
    try #require(words == "ready\n")
    return termination
  }

  @Test func `a tool that takes too long is killed`() async throws {
    let end = try await runUntilOpen(Self.open + "exec sleep 300")
    #expect(end.cause == .timeLimit && !end.cause.isFailureOfTool)
    #expect(await writers.wordsToTheEnd() == "")
  }

  @Test func `so is one that ignores signals, with all that it started`() async throws {
    let end = try await runUntilOpen(
      "trap '' TERM INT HUP; sleep 300 & \(Self.open) sleep 300")
    #expect(end.cause == .timeLimit)
    #expect(await writers.wordsToTheEnd() == "")
  }

  @Test func `what it printed until then is kept`() async throws {
    let end = try await runUntilOpen("echo begun; \(Self.open) exec sleep 300")
    #expect(end.output.text == "begun")
  }

  @Test func `the tool that printed without end is killed too`() async throws {
    let end = try await runUntilOpen(Self.open + "exec yes")
    #expect(end.cause == .timeLimit)
    #expect(end.output.text.utf8.count < 66_000)
  }

  @Test func `the step's own limit ends it, and says how to allow more`() async throws {
    let transcript = try await folder.run(shell("exec sleep 300", "timeLimit: 0.2"))
    #expect(
      transcript.failure?.message
        == "'/bin/sh' did not end within its time limit of 0.2 seconds and was killed; raise "
        + "'timeLimit' if it needs more")
  }

  @Test func `a process left running is killed, and does not keep the step waiting`() async throws {
    let script = "exec 3> '\(writers.path)'; sleep 300 & echo left >&3"
    let transcript = try await folder.run(shell(script))
    #expect(transcript.failure?.message == nil)
    #expect(await writers.wordsToTheEnd() == "left\n")
  }

  /// Whether this system shows the environment of processes, and has a program that leaves a group.
  private static let canFindDaemons =
    FileManager.default.isReadableFile(atPath: "/proc/self/environ")
    && FileManager.default.isExecutableFile(atPath: "/usr/bin/setsid")

  @Test(.enabled(if: canFindDaemons))
  func `so is a daemon that has left the tool's group`() async throws {
    let script = "exec 3> '\(writers.path)'; setsid -f sleep 300; echo left >&3"
    let transcript = try await folder.run(shell(script))
    #expect(transcript.failure?.message == nil)
    #expect(await writers.wordsToTheEnd() == "left\n")
  }

  @Test(.enabled(if: canFindDaemons))
  func `so is that of a tool which is killed itself`() async throws {
    let script = "exec 3> '\(writers.path)'; setsid -f sleep 300; echo left >&3; exec sleep 300"
    let scenario = try folder.scenario(shell(script))
    let task = Task {
      try await ScenarioRunner(allowsProcesses: true).run(scenario, scenario.variants[0])
    }
    #expect(await writers.firstWords() == "left\n")
    task.cancel()
    _ = try await task.value
    #expect(await writers.wordsToTheEnd() == "")
  }

  @Test func `a cancelled test kills it`() async throws {
    let scenario = try folder.scenario(
      shell("exec 3> '\(writers.path)'; \(Self.open) exec sleep 300"))
    let task = Task {
      try await ScenarioRunner(allowsProcesses: true).run(scenario, scenario.variants[0])
    }
    #expect(await writers.firstWords() == "ready\n")
    task.cancel()
    let transcript = try await task.value
    #expect(transcript.failure?.message.contains("the test was cancelled") == true)
    #expect(await writers.wordsToTheEnd() == "")
  }

  @Test func `a test that was cancelled before waits for no tool`() async throws {
    let scenario = try folder.scenario(shell("exec sleep 300"))
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await ScenarioRunner(allowsProcesses: true).run(scenario, scenario.variants[0])
    }
    let transcript = try await task.value
    #expect(transcript.failure?.message.contains("the test was cancelled") == true)
  }

  @Test func `no child is left to be reaped`() async throws {
    let transcript = try await folder.run(shell("echo $$"))
    let process = try #require(transcript.lines.first.flatMap { pid_t($0) })
    #expect(waitpid(process, nil, WNOHANG) == -1 && errno == ECHILD)
  }
}
#endif
