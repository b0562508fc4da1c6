#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

@testable import BackupScenarios

/// What this system shows of processes.
enum ShownProcesses {
  /// Whether it shows what they have, and has a program that leaves a group.
  static let haveDaemons =
    FileManager.default.isReadableFile(atPath: "/proc/self/environ")
    && FileManager.default.isExecutableFile(atPath: "/usr/bin/setsid")

  /// Those whose working directory is in a folder; none where the system does not show them.
  static func working(in folder: String) -> [String] {
    let files = FileManager.default
    let names = (try? files.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.filter { name in
      let directory = try? files.destinationOfSymbolicLink(atPath: "/proc/\(name)/cwd")
      return Int(name) != nil && directory?.hasPrefix(folder) == true
    }
  }
}

/// What has left the group of a tool, and what it was started with.
@Suite(.enabled(if: ShownProcesses.haveDaemons)) struct DaemonTests {
  let folder: TestFolder
  /// What shows whether a process lives.
  let writers: Writers

  init() throws {
    folder = try TestFolder()
    writers = try Writers(in: folder.url)
  }

  /// Runs a script that opens the pipe and leaves a daemon, and waits until nothing has it open.
  private func run(_ script: String) async throws {
    let transcript = try await folder.run(
      shell("exec 3> '\(writers.path)'; \(script); echo left >&3"))
    #expect(transcript.failure?.message == nil)
    #expect(await writers.wordsToTheEnd() == "left\n")
  }

  @Test func `that cleared its environment is killed where it works in the container`() async throws
  {
    try await run("env -i /usr/bin/setsid -f /bin/sleep 300 > /dev/null 2>&1")
  }

  @Test func `is killed where it writes to the step's output`() async throws {
    try await run("cd /; env -i /usr/bin/setsid -f /bin/sleep 300")
  }

  /// The program says that it is there by closing what the shell waits for; before that it is
  /// `setsid`, which nothing ties to the container.
  @Test func `is killed where its program is in the container`() async throws {
    try await run(
      "cp /bin/sh tmp/tool; tool=$PWD/tmp/tool; cd /; : $(env -i /usr/bin/setsid -f $tool "
        + "-c 'exec > /dev/null; kill -STOP $$' 2> /dev/null)")
  }

  @Test func `is killed though nothing ties it to the container or the step`() async throws {
    try await run("cd /; env -i /usr/bin/setsid -f /bin/sleep 300 > /dev/null 2>&1")
  }

  @Test func `does not keep a step from its end by stopping what started the step`() async throws {
    try await run("kill -STOP $PPID")
  }

  @Test func `ends the step by killing what started the step, and nothing of it is left`()
    async throws
  {
    let transcript = try await folder.run(
      shell("exec 3> '\(writers.path)'; echo left >&3; kill -KILL $PPID; exec sleep 300"))
    #expect(transcript.failure?.message.contains("was ended by signal 9") == true)
    #expect(await writers.wordsToTheEnd() == "left\n")
  }

  @Test func `is killed after it took the place of its tool's directory`() async throws {
    try await run(
      "mkdir tmp/gone; cd tmp/gone; rmdir ../gone; "
        + "env -i /usr/bin/setsid -f /bin/sleep 300 > /dev/null 2>&1")
  }

  @Test func `of another container lives on`() async throws {
    let other = try TestFolder()
    let ready = try Writers(in: other.url)
    // It lives until the other tool has had its turn, and is cancelled then.
    let scenario = try other.scenario(
      shell("exec 3> '\(ready.path)'; echo ready >&3; exec env -i /bin/sleep 900", "timeLimit: 900")
    )
    let task = Task {
      try await ScenarioRunner(allowsProcesses: true).run(scenario, scenario.variants[0])
    }
    #expect(await ready.firstWords() == "ready\n")
    try await run("env -i /usr/bin/setsid -f /bin/sleep 300 > /dev/null 2>&1")
    task.cancel()
    let transcript = try await task.value
    let message = try #require(transcript.failure).message
    #expect(message.contains("the test was cancelled"), "\(message)")
  }
}
#endif
