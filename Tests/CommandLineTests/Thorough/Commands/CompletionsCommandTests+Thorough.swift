#if os(macOS) || os(Linux)
import Foundation
import Testing

@testable import backup_testing

extension CompletionsCommandTests {
  @Test(arguments: Command.all.map { $0.name })
  func `bash completes the options of each command`(name: String) async throws {
    let command = try #require(Command.all.first { $0.name == name })
    let expected = command.options.map(\.name) + ["--help"]
    #expect(try await completions(of: name, "-") == expected)
  }

  @Test func `bash completes the values of options and operands`() async throws {
    #expect(try await completions(of: "run", "--format", "j") == ["json", "junit"])
    #expect(
      try await completions(of: "run", "--record", "") == ["never", "missing", "failed", "all"])
    #expect(try await completions(of: "advise", "o") == ["offline"])
    #expect(try await completions(of: "completions", "f") == ["fish"])
  }

  @Test func `bash completes files if a file can follow`() async throws {
    #expect(try await completions(of: "run", "Sc").isEmpty)
    #expect(try await completions(of: "run", "--golden", "-").isEmpty)
  }

  @Test(arguments: ["zsh", "fish"])
  func `the script of another shell has each command and each option`(shell: String) async throws {
    let workspace = try Workspace()
    let run = try await workspace.run("completions", shell)
    #expect(run.status == 0)
    for command in Command.all {
      #expect(run.output.contains(command.name))
      for option in command.options {
        let name = shell == "fish" ? "-l \(option.name.dropFirst(2)) " : option.name
        #expect(run.output.contains(name), "\(command.name) \(name)")
      }
    }
    try workspace.write(run.output, to: "script")
    let check = try await workspace.shell("! command -v \(shell) || \(shell) -n script")
    #expect(check.status == 0, "\(check.errors)")
  }
}
#endif
