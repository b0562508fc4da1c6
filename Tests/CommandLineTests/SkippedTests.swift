#if os(macOS) || os(Linux)
import Testing

/// The command line skips scenarios that run the app's own code.
@Suite struct SkippedTests {
  @Test func `a skipped scenario is reported as a note`() async throws {
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

  @Test func `a scenario with an action in 'launch' is skipped too`() async throws {
    let text = Sample.document.replacing(
      "steps: [", with: "launch: [{ perform: \"start\" }], steps: [")
    let run = try await Workspace(scenarios: ["a": text]).run("run")
    #expect(
      run.errors.contains(": note: skipped: launch step 1 (perform start) runs the app's own code"))
  }

  @Test func `a run that skips all scenarios fails, because it tests nothing`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.performing])
    let run = try await workspace.run("run")
    #expect(run.status == 1)
    #expect(run.output == "1 scenario in 0 runs: 0 passed, 1 skipped\n")
    #expect(
      run.errors.hasSuffix(
        "backup-testing: error: nothing was tested, because every scenario was skipped\n"))
  }

  @Test func `a strict run fails for each skipped scenario`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.performing, "b": Sample.document])
    _ = try await workspace.run("run")
    let run = try await workspace.run("run", "--strict")
    #expect(run.status == 1)
    #expect(run.output == "2 scenarios in 1 run: 1 passed, 1 failed\nfailed: a\n")
    #expect(run.errors.hasPrefix("Scenarios/a.json5:4:5: error: skipped: step 1"))
  }

  @Test func `the golden file of a skipped scenario is not an orphan`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.performing, "b": Sample.document])
    _ = try await workspace.run("run")
    try workspace.write("# golden 2: a\n", to: "Golden/a.golden")
    let run = try await workspace.run("run", "--delete-orphans", "--record", "all")
    #expect(run.status == 0)
    #expect(try workspace.text(of: "Golden/a.golden") == "# golden 2: a\n")
  }

  @Test func `a scenario with a 'run' step that is not allowed is not skipped`() async throws {
    let text = Sample.performing.replacing(
      "perform: \"save \\\"all\\\"\", with: { id: 1 }", with: "run: [\"true\"]")
    let run = try await Workspace(scenarios: ["a": text]).run("run")
    #expect(run.status == 1)
    #expect(run.output == "1 scenario in 1 run: 0 passed, 1 stopped early\nfailed: a\n")
  }
}
#endif
