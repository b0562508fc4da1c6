#if os(macOS) || os(Linux)
import Testing

/// An orphan is a golden file without a scenario.
@Suite struct OrphanTests {
  /// Creates two scenarios with their golden files, an orphan and another file.
  private func workspace() async throws -> Workspace {
    let workspace = try Workspace(scenarios: ["a": Sample.document, "b": Sample.document])
    _ = try await workspace.run("run")
    try workspace.write("# golden 2: gone\n", to: "Golden/old/gone.golden")
    try workspace.write("no golden file", to: "Golden/README.md")
    return workspace
  }

  @Test func `an orphan is a warning`() async throws {
    let run = try await workspace().run("run")
    #expect(run.status == 0)
    #expect(
      run.errors == """
        Golden/old/gone.golden:1:1: warning: no scenario has this golden file; delete it, or run \
        'backup-testing run --delete-orphans'

        """)
  }

  @Test func `an orphan fails in continuous integration`() async throws {
    let workspace = try await workspace()
    let run = try await workspace.run("run", environment: ["CI": "true"])
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix("Golden/old/gone.golden:1:1: error: "))
    let report = try await workspace.run("run", "--format", "github", environment: ["CI": "1"])
    #expect(report.status == 1)
    #expect(report.output.contains("Golden/old/gone.golden"))
  }

  @Test func `an orphan is deleted on request`() async throws {
    let workspace = try await workspace()
    let run = try await workspace.run("run", "--delete-orphans")
    #expect(run.status == 0)
    #expect(run.errors == "deleted Golden/old/gone.golden\n")
    #expect(workspace.files(in: "Golden") == ["README.md", "a.golden", "b.golden"])
  }

  @Test func `nothing is deleted in continuous integration`() async throws {
    let workspace = try await workspace()
    let run = try await workspace.run("run", "--delete-orphans", environment: ["CI": "1"])
    #expect(run.status == 2)
    #expect(run.errors.contains("--delete-orphans deletes nothing if CI is set"))
    #expect(workspace.exists("Golden/old/gone.golden"))
  }

  @Test func `nothing is deleted by a run in which a scenario does not pass`() async throws {
    let workspace = try await workspace()
    try workspace.replace("a.txt  1000", with: "a.txt  1001", in: "Golden/a.golden")
    let run = try await workspace.run("run", "--delete-orphans")
    #expect(run.status == 1)
    #expect(
      run.errors.contains(
        "--delete-orphans deleted nothing, because a scenario did not pass"))
    #expect(run.errors.contains("Golden/old/gone.golden:1:1: warning: no scenario has this"))
    #expect(workspace.exists("Golden/old/gone.golden"))
  }

  @Test(arguments: [["a"], ["Scenarios/a.json5"], ["--filter=a"]])
  func `a run of some scenarios reports no orphans`(arguments: [String]) async throws {
    let workspace = try await workspace()
    let run = try await workspace.run("run", arguments[0], environment: ["CI": "1"])
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    let deleting = try await workspace.run("run", arguments[0], "--delete-orphans")
    #expect(deleting.status == 2)
    #expect(deleting.errors.contains("--delete-orphans needs a whole folder"))
    #expect(workspace.exists("Golden/old/gone.golden"))
  }

  @Test func `a golden folder that cannot be read fails the run, with a message after the report`()
    async throws
  {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    try workspace.write("no folder", to: "Golden")
    for arguments in [["run"], ["run", "--delete-orphans"], ["run", "--format", "json"]] {
      let run = try await workspace.run(arguments)
      #expect(run.status == 1)
      #expect(run.output.contains(arguments.count > 2 ? "\"failed\" : 1" : "1 scenario in 1 run: "))
      #expect(run.errors.contains("Scenarios/a.json5:5:5: error: Golden/a.golden: "))
      let last = run.errors.split(separator: "\n").last ?? ""
      #expect(
        last.hasPrefix("backup-testing: error: Golden: the folder of golden files cannot be "))
    }
    #expect(try workspace.text(of: "Golden") == "no folder")
  }

  @Test func `the golden files of two scenario folders in one golden folder are not orphans`()
    async throws
  {
    let workspace = try Workspace()
    try workspace.write(Sample.document, to: "one/a.json5")
    try workspace.write(Sample.document, to: "two/b.json5")
    _ = try await workspace.run("run", "one", "two", "--golden", "G")
    let run = try await workspace.run(
      "run", "one", "two", "--golden", "G", environment: ["CI": "1"])
    #expect(run.status == 0)
    #expect(run.output == "2 scenarios in 2 runs: 2 passed\n")
  }

  @Test func `the golden files of another scenario folder are not orphans`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    try workspace.write(Sample.document, to: "Sync/b.json5")
    _ = try await workspace.run("run", "Scenarios", "Sync")
    for folder in ["Scenarios", "Sync"] {
      let run = try await workspace.run("run", folder, "--delete-orphans")
      #expect(run.status == 0)
      #expect(run.errors.isEmpty)
    }
    #expect(workspace.files(in: "Golden") == ["a.golden"])
    #expect(workspace.files(in: "Golden-Sync") == ["b.golden"])
  }
}
#endif
