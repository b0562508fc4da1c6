#if os(macOS) || os(Linux)
import BackupFileTree
import BackupScenarios
import Foundation
import TestSupport
import Testing

/// The failures of a tool in a `run` step, and their messages.
struct RunStepFailureTests {
  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
  }

  /// The message of the failure of a run.
  private func message(_ steps: String) async throws -> String? {
    try await folder.run(steps).failure?.message
  }

  @Test func `a status that is not 0 fails the step`() async throws {
    #expect(try await message(shell("exit 3")) == "'/bin/sh' ended with status 3")
  }

  @Test func `a signal fails the step, by number and name`() async throws {
    let message = try await message(shell("kill -SEGV $$"))
    #expect(message?.hasPrefix("'/bin/sh' was ended by signal 11 (Segmentation fault") == true)
  }

  @Test func `the changes of a tool that fails are recorded`() async throws {
    let transcript = try await folder.run(shell("echo x > Documents/a; exit 1"))
    #expect(transcript.lastTree.paths.map(\.description).contains("Documents/a"))
  }

  @Test func `throws expects a status or a signal`() async throws {
    #expect(try await message(shell("exit 3", "throws: true")) == nil)
    #expect(try await message(shell("kill -TERM $$", "throws: true")) == nil)
    #expect(try await message(shell("true", "throws: true")) != nil)
    #expect(try await message(shell("exit 3", "throws: 'noSuchFile'")) != nil)
  }

  @Test func `throws does not expect a tool that is missing or takes too long`() async throws {
    let missing = try await message("{ run: ['./missing'], throws: true }")
    #expect(missing?.hasPrefix("there is no './missing' in ") == true)
    let slow = try await message(shell("exec sleep 300", "timeLimit: 0.2, throws: true"))
    #expect(slow?.contains("time limit of 0.2 seconds") == true)
  }

  @Test(arguments: ["scenario", "marks/again/movie"])
  func `a relative path starts in the folder above the scenario folder`(_ id: String) async throws {
    try FileManager.default.createSymbolicLink(
      at: folder.url("tool"),
      withDestinationURL: URL(fileURLWithPath: "/bin/sh"))
    let transcript = try await folder.run("{ run: ['./tool', '-c', 'echo $0'] }", id: id)
    #expect(transcript.failure?.message == nil)
    #expect(transcript.outputs == ["./tool"])
  }

  @Test func `a script runs with the interpreter of its first line`() async throws {
    try folder.write("#!/bin/sh\necho \"$1\"\n", to: "script.sh", permissions: 0o755)
    #expect(try await folder.run("{ run: ['./script.sh', 'hello'] }").outputs == ["hello"])
  }

  @Test func `the message on a missing tool says where the kit looked for it`() async throws {
    let path = try await message("{ run: ['tools/missing'] }")
    #expect(path == "there is no 'tools/missing' in \(folder.path), beside the scenario folder")
    let name = try await message("{ run: ['no-such-tool-anywhere'] }")
    #expect(
      name?.hasPrefix("'no-such-tool-anywhere' is not on PATH; write './no-such") == true)
    let absolute = try await message("{ run: ['/no/such/tool'] }")
    #expect(absolute == "there is no '/no/such/tool'")
  }

  @Test func `the message on a circular link does not say that the tool is missing`() async throws {
    try FileManager.default.createSymbolicLink(
      at: folder.url("circle"), withDestinationURL: folder.url("circle"))
    let message = try await message("{ run: ['./circle'] }")
    #expect(message?.hasPrefix("'./circle' cannot be run: Too many levels") == true)
  }

  @Test func `the message names a file that is not a program`() async throws {
    try folder.write("echo", to: "plain")
    let plain = try await message("{ run: ['./plain'] }")
    #expect(plain == "'./plain' is not an executable file; make it executable with 'chmod +x'")
    #expect(try await message("{ run: ['./'] }")?.contains("not an executable file") == true)
    try folder.write("echo", to: "headless", permissions: 0o755)
    #expect(
      try await message("{ run: ['./headless'] }")?.contains(
        "neither a program for this system nor a script with a #! line") == true)
    try folder.write("#!/no/such/shell\n", to: "lost", permissions: 0o755)
    #expect(
      try await message("{ run: ['./lost'] }")?.contains(
        "the program that its #! line names") == true)
  }

  @Test func `the message has no control characters of the tool's name`() async throws {
    let message = try #require(try await message("{ run: ['./a\\u001b[31m\\nb'] }"))
    #expect(!message.contains("\u{1B}") && !message.contains("\n"))
  }
}
#endif
