#if os(macOS) || os(Linux)
import Foundation
import Testing

@testable import backup_testing

/// `completions` prints a script by which a shell completes commands and options.
@Suite struct CompletionsCommandTests {
  /// Returns the completions of bash for the last of the words.
  func completions(of words: String...) async throws -> [String] {
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

  @Test func `an unknown shell is an error`() async throws {
    let run = try await Workspace().run("completions", "bsh")
    #expect(run.status == 2)
    #expect(run.errors.contains("unknown shell 'bsh'; did you mean 'bash'?"))
  }
}
#endif
