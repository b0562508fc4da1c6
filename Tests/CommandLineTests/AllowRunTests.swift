#if os(macOS) || os(Linux)
import TestSupport
import Testing

@testable import backup_testing

/// A `run` step starts a process only with the option `--allow-run`.
struct AllowRunTests {
  /// Records the golden file of a scenario with a `run` step, and then runs it again with options.
  private func status(_ options: [String]) async throws -> Int32 {
    let folder = try TestFolder([
      "Scenarios/tool.json5":
        "{ title: 'A tool', steps: [{ save: 'tmp/a', size: 1 }, { run: ['true'] }] }"
    ])
    let scenarios = "\(folder.path)/Scenarios"
    _ = try await run(["--record", "all", "--allow-run", scenarios])
    return try await run(options + ["--record", "never", scenarios])
  }

  private func run(_ arguments: [String]) async throws -> Int32 {
    try await Command.run.run(Arguments(arguments, options: Command.run.options)).rawValue
  }

  @Test func `with the option, a process is started`() async throws {
    #expect(try await status(["--allow-run"]) == 0)
  }

  @Test func `without the option, the step fails`() async throws {
    #expect(try await status([]) == 1)
  }
}
#endif
