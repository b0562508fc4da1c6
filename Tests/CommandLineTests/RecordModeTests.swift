#if os(macOS) || os(Linux)
import Testing

/// When `run` writes golden files, by option, environment and default.
@Suite struct RecordModeTests {
  /// The files that a run writes with no golden file there.
  private func written(
    _ arguments: [String] = [], _ environment: [String: String] = [:]
  ) async throws -> [String] {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    let run = try await workspace.run(["run"] + arguments, environment: environment)
    let written = workspace.files(in: "Golden")
    #expect(run.status == (written.isEmpty ? 1 : 0))
    return written
  }

  @Test func `a missing golden is written unless the mode is never`() async throws {
    #expect(try await written() == ["a.golden"])
    #expect(try await written(["--record", "never"]).isEmpty)
    #expect(try await written([], ["BACKUP_TESTING_RECORD": "never"]).isEmpty)
  }

  @Test func `nothing is written in continuous integration`() async throws {
    #expect(try await written([], ["CI": "1"]).isEmpty)
    #expect(try await written([], ["CI": "0"]) == ["a.golden"])
  }

  @Test func `an explicit mode counts in continuous integration too`() async throws {
    #expect(try await written(["--record", "missing"], ["CI": "1"]) == ["a.golden"])
    #expect(try await written(["--record", "never"], ["BACKUP_TESTING_RECORD": "all"]).isEmpty)
  }

  @Test(arguments: [("never", false), ("missing", false), ("failed", true), ("all", true)])
  func `a differing golden is written by two modes`(mode: String, isWritten: Bool) async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    _ = try await workspace.run("run")
    try workspace.replace("a.txt  1000", with: "a.txt  1001", in: "Golden/a.golden")
    let run = try await workspace.run("run", "--record", mode)
    #expect(run.status == (isWritten ? 0 : 1))
    #expect(try workspace.text(of: "Golden/a.golden").contains("a.txt  1000") == isWritten)
    #expect(try await workspace.run("run").status == (isWritten ? 0 : 1))
  }

  @Test func `an unknown mode is an error`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    let variable = try await workspace.run(
      "run", environment: ["BACKUP_TESTING_RECORD": "fialed"])
    #expect(variable.status == 2)
    #expect(variable.errors.contains("BACKUP_TESTING_RECORD: unknown record mode 'fialed'"))
    #expect(variable.errors.contains("did you mean 'failed'?"))
    let option = try await workspace.run("run", "--record", "al")
    #expect(option.status == 2)
    #expect(option.errors.contains("--record: unknown record mode 'al'; did you mean 'all'?"))
    #expect(!workspace.exists("Golden"))
  }
}
#endif
