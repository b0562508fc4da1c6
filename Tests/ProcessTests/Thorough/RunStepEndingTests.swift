#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

@testable import BackupApp
@testable import BackupScenarios

/// No process that a step starts outlives the step.
@Suite struct RunStepEndingTests {
  /// The command by which a script says that it has opened the pipe.
  private static let reportOpen = "echo ready >&3; "

  let folder: TestFolder
  /// The pipe that shows whether a process is alive.
  let pipe: OutputPipe

  init() throws {
    folder = try TestFolder()
    pipe = try OutputPipe(in: folder.url)
  }

  /// Runs a script, and ends its time limit as soon as it has opened the pipe.
  private func runUntilOpen(_ script: String) async throws -> ProcessCommand.End {
    let exitEvent = try WakeUpPipe(for: "sh")
    let command = ProcessCommand(
      executable: "/bin/sh", words: ["sh", "-c", "exec 3> '\(pipe.path)'; " + script],
      environment: ["PATH": "/usr/bin:/bin"], directory: folder.path, timeLimit: 600)
    async let end = runOnThread {
      Result { () throws(AppFailure) in try command.run(waking: exitEvent) }
    }
    let words = await pipe.firstOutput()
    exitEvent.signal(.timeLimit)
    let termination = try await end.get()
    try #require(words == "ready\n")
    return termination
  }

  @Test func `a tool that ignores signals is killed with its children, and its output is kept`()
    async throws
  {
    let end = try await runUntilOpen(
      "trap '' TERM INT HUP; echo begun; sleep 300 & \(Self.reportOpen) sleep 300")
    #expect(end.cause == .timeLimit && !end.cause.isFailureOfTool)
    #expect(end.output.text == "begun")
    #expect(await pipe.outputUntilClosed() == "")
  }

  @Test func `a tool that prints without end is killed`() async throws {
    let end = try await runUntilOpen(Self.reportOpen + "exec yes")
    #expect(end.cause == .timeLimit)
    #expect(end.output.text.utf8.count < 66_000)
  }

  @Test func `the message on a step's time limit says how to raise it`() async throws {
    let transcript = try await folder.run(shell("exec sleep 300", "timeLimit: 0.2"))
    #expect(
      transcript.failure?.message
        == "'/bin/sh' did not end within its time limit of 0.2 seconds and was killed; raise "
        + "'timeLimit' if it needs more")
  }

  @Test func `a process that the tool leaves is killed, and does not delay the step`() async throws
  {
    let script = "exec 3> '\(pipe.path)'; sleep 300 & echo left >&3"
    let transcript = try await folder.run(shell(script))
    #expect(transcript.failure?.message == nil)
    #expect(await pipe.outputUntilClosed() == "left\n")
  }

  /// Whether `/proc` shows the environment of processes, and the program `setsid` exists.
  private static let canFindDaemons =
    FileManager.default.isReadableFile(atPath: "/proc/self/environ")
    && FileManager.default.isExecutableFile(atPath: "/usr/bin/setsid")

  @Test(.enabled(if: canFindDaemons))
  func `a daemon of a killed tool is killed`() async throws {
    let script = "exec 3> '\(pipe.path)'; setsid -f sleep 300; echo left >&3; exec sleep 300"
    let scenario = try folder.scenario(shell(script))
    let task = Task {
      try await ScenarioRunner(allowsProcesses: true).run(scenario, scenario.variants[0])
    }
    #expect(await pipe.firstOutput() == "left\n")
    task.cancel()
    _ = try await task.value
    #expect(await pipe.outputUntilClosed() == "")
  }

  @Test func `a cancelled test kills the tool`() async throws {
    let scenario = try folder.scenario(
      shell("exec 3> '\(pipe.path)'; \(Self.reportOpen) exec sleep 300"))
    let task = Task {
      try await ScenarioRunner(allowsProcesses: true).run(scenario, scenario.variants[0])
    }
    #expect(await pipe.firstOutput() == "ready\n")
    task.cancel()
    let transcript = try await task.value
    #expect(transcript.failure?.message.contains("the test was cancelled") == true)
    #expect(await pipe.outputUntilClosed() == "")
  }

  @Test func `a test that is already cancelled does not wait for a tool`() async throws {
    let scenario = try folder.scenario(shell("exec sleep 300"))
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await ScenarioRunner(allowsProcesses: true).run(scenario, scenario.variants[0])
    }
    let transcript = try await task.value
    #expect(transcript.failure?.message.contains("the test was cancelled") == true)
  }

  @Test func `no child process is left to be reaped`() async throws {
    let transcript = try await folder.run(shell("echo $$"))
    let process = try #require(transcript.lines.first.flatMap { pid_t($0) })
    #expect(waitpid(process, nil, WNOHANG) == -1 && errno == ECHILD)
  }
}
#endif
