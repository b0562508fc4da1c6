#if os(macOS) || os(Linux)
import Testing

extension ExplainCommandTests {
  @Test func `systems with the same reasons share a section`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.matrix])
    let run = try await workspace.run("explain", "a")
    let systems = run.output.split(separator: "\n").filter { $0.hasPrefix("system ") }
    #expect(systems == ["system iOS 5.0.1 and 5.1, iCloud", "system iOS 18, iCloud"])
    let underOneSystem = try await workspace.run(
      "explain", "a", "Documents/a.txt", "--system", "18")
    #expect(underOneSystem.output.contains("\nsystem iOS 18, iCloud\nstep 2 (line 6)"))
    #expect(try await workspace.run("explain", "a", "--system", "9").status == 2)
  }

  @Test func `an unknown scenario is an error with the nearest id`() async throws {
    let workspace = try Workspace(scenarios: ["marks/movie": Sample.document, "b": "{"])
    let mistyped = try await workspace.run("explain", "marks/movei")
    #expect(mistyped.status == 2)
    #expect(mistyped.errors.contains("did you mean 'marks/movie'?"))
    let folder = try await workspace.run("explain", "Scenarios")
    #expect(folder.errors.contains("Scenarios: the folder contains 2 scenarios; name one of them"))
    let unreadable = try await workspace.run("explain", "b")
    #expect(unreadable.status == 2)
    #expect(unreadable.errors.hasPrefix("Scenarios/b.json5:1:"))
  }

  @Test func `an id that is also a folder's name is an id`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    try workspace.write("", to: "a/b.txt")
    #expect(try await workspace.run("explain", "a").output.hasPrefix("a: A document is in"))
  }

  @Test func `a run that stops early is explained up to that step`() async throws {
    let text = Sample.failingStepOnError.replacing(
      "{ remove", with: "{ backup: \"x\" },\n    { remove")
    let workspace = try Workspace(scenarios: ["a": text])
    let run = try await workspace.run("explain", "a")
    #expect(run.status == 1)
    #expect(run.output.contains("step 2 (line 5) backup \"x\": "))
    #expect(run.errors.hasPrefix("Scenarios/a.json5:6:5: error: step 3 (remove Documents/b.txt): "))
  }

  @Test func `a scenario that runs the app's own code is an error`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.performing])
    let run = try await workspace.run("explain", "a")
    #expect(run.status == 2)
    #expect(run.output.isEmpty)
    #expect(
      run.errors.hasPrefix(
        "Scenarios/a.json5:4:5: error: step 1 (perform save \"all\") runs the app's own code")
    )
    #expect(!run.errors.contains("\\n"))
  }

  @Test func `a scenario without a backup has nothing to explain`() async throws {
    let text = Sample.document.replacing("{ backup: \"first\" },", with: "")
    let run = try await Workspace(scenarios: ["a": text]).run("explain", "a")
    #expect(run.status == 0)
    #expect(run.errors == "note: no backup is taken in this scenario\n")
  }

  @Test func `results of a scenario that was not run are an error`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.performing, "b": Sample.matrix])
    _ = try await workspace.run("run", "--format", "json", "--output", "r.json")
    let skipped = try await workspace.run("explain", "a", "--results", "r.json")
    #expect(skipped.status == 2)
    #expect(skipped.errors.contains("r.json: scenario 'a' was not run: skipped: "))
    let underOneSystem = try await workspace.run(
      "explain", "b", "--results", "r.json", "--system", "18")
    #expect(underOneSystem.output.contains("system iOS 18, iCloud\n"))
    #expect(!underOneSystem.output.contains("5.1"))
    let underUnknownSystem = try await workspace.run(
      "explain", "b", "--results", "r.json", "--system", "9")
    #expect(underUnknownSystem.status == 2)
    let withoutResults = try await workspace.run("explain", "b")
    #expect(
      try await workspace.run("explain", "b", "--results", "r.json").output == withoutResults.output
    )
  }
}
#endif
