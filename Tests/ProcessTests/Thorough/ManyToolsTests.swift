#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

@testable import BackupScenarios

/// Tools of more scenarios than can run at once.
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

  // With `Tests/Scripts/few-descriptors` there are fewer descriptors than tools.
  @Test func `six hundred tools at once all run, and those that wait have no file open`()
    async throws
  {
    let ends = try await withThrowingTaskGroup(of: ProcessCommand.End.self) { group in
      for number in 0..<600 {
        let command = command(writing: "\(number)")
        group.addTask { try await command.run().get() }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let causes = Set(ends.map(\.cause))
    #expect(causes == [.exited(0)])
    #expect(try folder.names().count == 600)
  }

  /// Some number in between is that of the line to the tool's keeper; one that stands for SIGCHLD in a set of
  /// signals once kept the keeper from noticing the end.
  @Test func `a tool that is started beside more than 1,024 open files ends as any other`()
    async throws
  {
    // The tests beside it need some too.
    guard sysconf(Int32(_SC_OPEN_MAX)) >= 2_048 else {
      return print("SKIPPED: this process may not open 2,048 files")
    }
    var files = [open("/dev/null", O_RDONLY)]
    defer { for file in files where file >= 0 { close(file) } }
    // It counts so long that its end has to be noticed.
    let count = "i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done"
    let command = ProcessCommand(
      executable: "/bin/sh", words: ["sh", "-c", count], environment: [:],
      directory: folder.path, timeLimit: 60)
    for most: Int32 in 1_026...1_041 {
      while let file = files.last, (0..<most).contains(file) { files.append(dup(file)) }
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

  @Test func `how many run at once is bounded by the processors, and by the descriptors`() {
    #expect(ProcessLimit.count(processors: 2, descriptors: 1024) == 4)
    #expect(ProcessLimit.count(processors: 10, descriptors: 1024) == 20)
    #expect(ProcessLimit.count(processors: 64, descriptors: 256) == 16)
    #expect(ProcessLimit.count(processors: 2, descriptors: 10) == 1)
  }
}
#endif
