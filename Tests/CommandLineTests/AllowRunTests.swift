import Foundation
import Testing

@testable import backup_testing

/// `--allow-run` on the command line.
struct AllowRunTests {
  /// Runs a scenario that runs a tool, with its golden file recorded first.
  private func status(_ options: [String]) async throws -> Int32 {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("allow-run-tests-\(UUID().uuidString)")
    let scenarios = folder.appendingPathComponent("Scenarios")
    try FileManager.default.createDirectory(at: scenarios, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("{ title: 'A tool', steps: [{ run: ['true'] }, { backup: 'one' }] }".utf8)
      .write(to: scenarios.appendingPathComponent("tool.json5"))
    _ = try await run(["--record", "all", "--allow-run", scenarios.path])
    return try await run(options + ["--record", "never", scenarios.path])
  }

  /// Runs the command.
  private func run(_ arguments: [String]) async throws -> Int32 {
    try await RunCommand.run(Arguments(arguments, options: RunCommand.options)).rawValue
  }

  @Test func `a process is started with it`() async throws {
    #expect(try await status(["--allow-run"]) == 0)
  }

  @Test func `and refused without`() async throws {
    #expect(try await status([]) == 1)
  }
}
