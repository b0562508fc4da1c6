#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

@testable import BackupScenarios

/// The processes that `/proc` shows. Only Linux has `/proc`.
enum VisibleProcesses {
  /// Whether `/proc` shows the environment of processes, and the program `setsid` exists.
  static let canFindDaemons =
    FileManager.default.isReadableFile(atPath: "/proc/self/environ")
    && FileManager.default.isExecutableFile(atPath: "/usr/bin/setsid")

  /// The ids of the processes whose working directory is in a folder. Empty without `/proc`.
  static func working(in folder: String) -> [String] {
    let files = FileManager.default
    let names = (try? files.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.filter { name in
      let directory = try? files.destinationOfSymbolicLink(atPath: "/proc/\(name)/cwd")
      return Int(name) != nil && directory?.hasPrefix(folder) == true
    }
  }
}

/// The kit kills daemons of a tool, even if they have left the tool's process group.
@Suite(.enabled(if: VisibleProcesses.canFindDaemons)) struct DaemonTests {
  let folder: TestFolder
  /// The pipe that shows whether a process is alive.
  let pipe: OutputPipe

  init() throws {
    folder = try TestFolder()
    pipe = try OutputPipe(in: folder.url)
  }

  /// Runs a script that opens the pipe and leaves a daemon. Expects that the daemon is then killed.
  private func run(_ script: String) async throws {
    let transcript = try await folder.run(
      shell("exec 3> '\(pipe.path)'; \(script); echo left >&3"))
    #expect(transcript.failure?.message == nil)
    #expect(await pipe.outputUntilClosed() == "left\n")
  }

  @Test func `a daemon without environment is killed if it works in the container`() async throws {
    try await run("env -i /usr/bin/setsid -f /bin/sleep 300 > /dev/null 2>&1")
  }

  @Test func `a daemon is killed if it writes to the step's output`() async throws {
    try await run("cd /; env -i /usr/bin/setsid -f /bin/sleep 300")
  }

  /// The shell waits until the daemon closes its standard output. Before that, the daemon still
  /// executes `setsid`, whose program is not in the container.
  @Test func `a daemon is killed if its program is in the container`() async throws {
    try await run(
      "cp /bin/sh tmp/tool; tool=$PWD/tmp/tool; cd /; : $(env -i /usr/bin/setsid -f $tool "
        + "-c 'exec > /dev/null; kill -STOP $$' 2> /dev/null)")
  }

  @Test func `a daemon is killed even if nothing ties it to the container or the step`()
    async throws
  {
    try await run("cd /; env -i /usr/bin/setsid -f /bin/sleep 300 > /dev/null 2>&1")
  }

  @Test func `a tool that stops its parent process does not delay the step's end`() async throws {
    try await run("kill -STOP $PPID")
  }

  @Test func `a tool that kills its parent process ends, and leaves no process`()
    async throws
  {
    let transcript = try await folder.run(
      shell("exec 3> '\(pipe.path)'; echo left >&3; kill -KILL $PPID; exec sleep 300"))
    #expect(transcript.failure?.message.contains("was ended by signal 9") == true)
    #expect(await pipe.outputUntilClosed() == "left\n")
  }

  @Test func `a daemon is killed even if its working directory was removed`() async throws {
    try await run(
      "mkdir tmp/gone; cd tmp/gone; rmdir ../gone; "
        + "env -i /usr/bin/setsid -f /bin/sleep 300 > /dev/null 2>&1")
  }

  @Test func `a process of another container is not killed`() async throws {
    let other = try TestFolder()
    let otherPipe = try OutputPipe(in: other.url)
    // This tool runs until the tool below has ended. Then the test cancels it.
    let scenario = try other.scenario(
      shell(
        "exec 3> '\(otherPipe.path)'; echo ready >&3; exec env -i /bin/sleep 900", "timeLimit: 900")
    )
    let task = Task {
      try await ScenarioRunner(allowsProcesses: true).run(scenario, scenario.variants[0])
    }
    #expect(await otherPipe.firstOutput() == "ready\n")
    try await run("env -i /usr/bin/setsid -f /bin/sleep 300 > /dev/null 2>&1")
    task.cancel()
    let transcript = try await task.value
    let message = try #require(transcript.failure).message
    #expect(message.contains("the test was cancelled"), "\(message)")
  }
}
#endif
