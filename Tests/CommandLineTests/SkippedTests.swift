#if os(macOS) || os(Linux)
import Testing

/// Scenarios that perform app code, which the command line does not run.
@Suite struct SkippedTests {
  @Test func `a skipped scenario is a note beside those that ran`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.performing, "b": Sample.document])
    _ = try await workspace.run("run")
    #expect(workspace.files(in: "Golden") == ["b.golden"])
    let run = try await workspace.run("run")
    #expect(run.status == 0)
    #expect(run.output == "2 scenarios in 1 run: 1 passed, 1 skipped\n")
    let lines = run.errors.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(
      lines[0].hasPrefix(
        "Scenarios/a.json5:4:5: note: skipped: step 1 (perform save \"all\") runs"))
    #expect(lines[1] == "  4 |     { perform: \"save \\\"all\\\"\", with: { id: 1 } },")
  }

  @Test func `an action at the start of the app skips too`() async throws {
    let text = Sample.document.replacing(
      "steps: [", with: "launch: [{ perform: \"start\" }], steps: [")
    let run = try await Workspace(scenarios: ["a": text]).run("run")
    #expect(
      run.errors.contains(": note: skipped: launch step 1 (perform start) runs the app's own code"))
  }

  @Test func `a run of which all is skipped has tested nothing`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.performing])
    let run = try await workspace.run("run")
    #expect(run.status == 1)
    #expect(run.output == "1 scenario in 0 runs: 0 passed, 1 skipped\n")
    #expect(
      run.errors.hasSuffix(
        "backup-testing: error: nothing was tested, because every scenario was skipped\n"))
  }

  @Test func `strict runs fail each`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.performing, "b": Sample.document])
    _ = try await workspace.run("run")
    let run = try await workspace.run("run", "--strict")
    #expect(run.status == 1)
    #expect(run.output == "2 scenarios in 1 run: 1 passed, 1 failed\nfailed: a\n")
    #expect(run.errors.hasPrefix("Scenarios/a.json5:4:5: error: skipped: step 1"))
  }

  @Test func `the golden file of a skipped scenario is no orphan`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.performing, "b": Sample.document])
    _ = try await workspace.run("run")
    try workspace.write("# golden 2: a\n", to: "Golden/a.golden")
    let run = try await workspace.run("run", "--delete-orphans", "--record", "all")
    #expect(run.status == 0)
    #expect(try workspace.text(of: "Golden/a.golden") == "# golden 2: a\n")
  }

  @Test func `a tool that may not be run is no skipping`() async throws {
    let text = Sample.performing.replacing(
      "perform: \"save \\\"all\\\"\", with: { id: 1 }", with: "run: [\"true\"]")
    let run = try await Workspace(scenarios: ["a": text]).run("run")
    #expect(run.status == 1)
    #expect(run.output == "1 scenario in 1 run: 0 passed, 1 stopped early\nfailed: a\n")
  }
}
#endif
