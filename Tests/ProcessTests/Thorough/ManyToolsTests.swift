#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

@testable import BackupScenarios

/// Runs more tools than can run at the same time.
@Suite struct ManyToolsTests {
  /// The folder that the tools run in.
  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
  }

  /// A tool that writes a file.
  private func command(writing name: String = "note") -> ProcessCommand {
    ProcessCommand(
      executable: "/bin/sh", words: ["sh", "-c", "echo text > '\(name)'"],
      environment: ["PATH": "/usr/bin:/bin"], directory: folder.path, timeLimit: 600)
  }

  // `Tests/Scripts/few-descriptors` runs this test with fewer file descriptors than tools.
  @Test func `three hundred tools all run, and waiting tools have no open files`()
    async throws
  {
    let ends = try await withThrowingTaskGroup(of: ProcessCommand.End.self) { group in
      for number in 0..<300 {
        let command = command(writing: "\(number)")
        group.addTask { try await command.run().get() }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let causes = Set(ends.map(\.cause))
    #expect(causes == [.exited(0)])
    #expect(try folder.names().count == 300)
  }

  /// The connection to the tool's parent process gets one of these descriptor numbers. A number
  /// that stood for SIGCHLD in a set of signals once kept the parent from noticing the end of the
  /// tool.
  @Test func `a tool ends normally if this process has more than 1,024 open files`()
    async throws
  {
    // Other tests in this process need open files too.
    guard sysconf(Int32(_SC_OPEN_MAX)) >= 2_048 else {
      return print("SKIPPED: this process may not open 2,048 files")
    }
    var files = [open("/dev/null", O_RDONLY)]
    defer { for file in files where file >= 0 { close(file) } }
    // The tool runs for so long that its parent process must notice its end.
    let command = ProcessCommand(
      executable: "/bin/sleep", words: ["sleep", "0.1"], environment: [:],
      directory: folder.path, timeLimit: 60)
    for fileCount: Int32 in 1_026...1_041 {
      while let file = files.last, (0..<fileCount).contains(file) { files.append(dup(file)) }
      try #require(files.last != -1)
      #expect(try await command.run().get().cause == .exited(0))
    }
  }

  @Test func `a tool whose test is cancelled while it waits for its turn is not started`()
    async throws
  {
    let limit = ProcessLimit(count: 0)
    let command = command()
    let task = Task { await command.run(within: limit) }
    task.cancel()
    await limit.endTurn()
    #expect(try await task.value.get().cause == .cancelled)
    #expect(try folder.names().isEmpty)
    await limit.waitForTurn()
  }

  @Test func `the processors and the descriptors limit how many tools run at once`() {
    #expect(ProcessLimit.count(processors: 2, descriptors: 1024) == 4)
    #expect(ProcessLimit.count(processors: 10, descriptors: 1024) == 20)
    #expect(ProcessLimit.count(processors: 64, descriptors: 256) == 16)
    #expect(ProcessLimit.count(processors: 2, descriptors: 10) == 1)
  }
}
#endif
