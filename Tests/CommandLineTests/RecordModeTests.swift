#if os(macOS) || os(Linux)
import Testing

/// The record mode decides when `run` writes golden files. An option, an environment variable or
/// the default sets it.
@Suite struct RecordModeTests {
  /// Runs a scenario that has no golden file, and returns the golden files that the run writes.
  private func goldenFilesWritten(
    _ arguments: [String] = [], _ environment: [String: String] = [:]
  ) async throws -> [String] {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    let run = try await workspace.run(["run"] + arguments, environment: environment)
    let goldenFiles = workspace.files(in: "Golden")
    #expect(run.status == (goldenFiles.isEmpty ? 1 : 0))
    return goldenFiles
  }

  @Test func `a missing golden file is written unless the mode is never`() async throws {
    #expect(try await goldenFilesWritten() == ["a.golden"])
    #expect(try await goldenFilesWritten(["--record", "never"]).isEmpty)
    #expect(try await goldenFilesWritten([], ["BACKUP_TESTING_RECORD": "never"]).isEmpty)
  }

  @Test func `nothing is written in continuous integration`() async throws {
    #expect(try await goldenFilesWritten([], ["CI": "1"]).isEmpty)
    #expect(try await goldenFilesWritten([], ["CI": "0"]) == ["a.golden"])
  }

  @Test func `an explicit mode also applies in continuous integration`() async throws {
    #expect(try await goldenFilesWritten(["--record", "missing"], ["CI": "1"]) == ["a.golden"])
    let variables = ["BACKUP_TESTING_RECORD": "all"]
    #expect(try await goldenFilesWritten(["--record", "never"], variables).isEmpty)
  }

  @Test(arguments: [("never", false), ("missing", false), ("failed", true), ("all", true)])
  func `two modes write a golden file that differs`(mode: String, isWritten: Bool) async throws {
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
