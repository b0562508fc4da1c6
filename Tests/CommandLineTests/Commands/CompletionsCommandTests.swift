#if os(macOS) || os(Linux)
import Foundation
import Testing

@testable import backup_testing

/// `completions`: what each shell completes.
@Suite struct CompletionsCommandTests {
  /// What bash completes when the last of some words is typed.
  private func completions(of words: String...) async throws -> [String] {
    let quoted = words.map { "'\($0)'" }.joined(separator: " ")
    let run = try await Workspace().shell(
      """
      exec bash -c 'set -u; eval "$("$TOOL" completions bash)"; COMP_WORDS=("$@")
      COMP_CWORD=$(($# - 1)); _backup_testing; printf "%s\\n" "${COMPREPLY[@]}"' \
      bash backup-testing \(quoted)
      """)
    #expect(run.status == 0, "\(run.errors)")
    return run.output.split(separator: "\n").map(String.init)
  }

  @Test func `bash completes commands`() async throws {
    #expect(try await completions(of: "ex") == ["explore", "explain", "export-backup"])
    let all = try await completions(of: "")
    #expect(Set(Command.all.map(\.name)).isSubset(of: all))
    #expect(try await completions(of: "help", "che") == ["check"])
  }

  @Test(arguments: Command.all.map(\.name))
  func `bash completes the options of each command`(name: String) async throws {
    let command = try #require(Command.all.first { $0.name == name })
    let expected = command.options.map(\.name) + ["--help"]
    #expect(try await completions(of: name, "-") == expected)
  }

  @Test func `bash completes the words that options and operands take`() async throws {
    #expect(try await completions(of: "run", "--format", "j") == ["json", "junit"])
    #expect(
      try await completions(of: "run", "--record", "") == ["never", "missing", "failed", "all"])
    #expect(try await completions(of: "advise", "o") == ["offline"])
    #expect(try await completions(of: "completions", "f") == ["fish"])
  }

  @Test func `bash completes files where a file can follow`() async throws {
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

  @Test func `an unknown shell is an error`() async throws {
    let run = try await Workspace().run("completions", "bsh")
    #expect(run.status == 2)
    #expect(run.errors.contains("unknown shell 'bsh'; did you mean 'bash'?"))
  }
}
#endif
