#if os(macOS) || os(Linux)
import TestSupport
import Testing

@testable import backup_testing

/// `--allow-run` on the command line.
struct AllowRunTests {
  /// Runs a scenario that runs a tool, with its golden file recorded first.
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

  @Test func `a process is started with it`() async throws {
    #expect(try await status(["--allow-run"]) == 0)
  }

  @Test func `and refused without`() async throws {
    #expect(try await status([]) == 1)
  }
}
#endif
