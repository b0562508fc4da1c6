#if os(macOS) || os(Linux)
import Testing

/// Each command adds the classes in `app.json5` to all scenarios.
@Suite struct AppFileTests {
  /// Creates two scenarios that back up a movie, and an `app.json5` by which this is wrong.
  ///
  /// No scenario uses the second pattern in `app.json5`.
  private func workspace() throws -> Workspace {
    let text = """
      { title: "A movie", steps: [
        { save: "Documents/1.mp4", size: "1 KB" },
        { backup: "a" },
      ] }
      """
    let workspace = try Workspace(scenarios: ["a": text, "movies/b": text])
    try workspace.write(
      """
      { files: {
        "Documents/*.mp4": "offline",
        "Library/**": "support",
      } }
      """, to: "Scenarios/app.json5")
    return workspace
  }

  @Test(arguments: [
    ["run"], ["run", "Scenarios/movies"], ["run", "Scenarios/movies/b.json5"], ["run", "movies/b"],
    ["run", "--filter", "movies/*"],
  ])
  func `a scenario has the same verdict for each way to select it`(
    arguments: [String]
  ) async throws {
    let run = try await workspace().run(arguments)
    #expect(run.status == 1)
    #expect(
      run.errors.contains(
        "Scenarios/movies/b.json5:2:3: error: recreatable-data-backed-up: 'Documents/1.mp4'"))
    // The tool reports an unused pattern only if it runs all scenarios.
    let note =
      "note: Scenarios/app.json5:3:3: 'Library/**' (support) matched no file in any scenario"
    #expect(run.errors.contains(note) == (arguments == ["run"]))
  }

  @Test func `the file is not a scenario`() async throws {
    let workspace = try workspace()
    #expect(try await workspace.run("check").output == "2 scenarios: no mistakes\n")
    let run = try await workspace.run("check", "Scenarios/app.json5")
    #expect(run.status == 2)
    #expect(run.errors.contains("Scenarios/app.json5: this is no scenario, but gives the classes"))
    let inspected = try await workspace.run("inspect", "--files", "a", "Scenarios")
    #expect(!inspected.errors.contains("app.json5"))
    try workspace.write("{ files: { 'a': 'ofline' } }", to: "Scenarios/app.json5")
    let invalid = try await workspace.run("check", "a")
    #expect(invalid.status == 2)
    #expect(
      invalid.errors.hasPrefix("Scenarios/app.json5:1:17: error: unknown data class 'ofline'"))
  }

  @Test func `a file of a folder without scenarios is checked too`() async throws {
    let workspace = try workspace()
    try workspace.write("{ title: 'A', steps: [] }", to: "Scenarios/sub/app.json5")
    let run = try await workspace.run("run")
    #expect(run.status == 2)
    #expect(
      run.errors.contains(
        "Scenarios/sub/app.json5:1:1: error: app.json5 gives the classes of the app's files in all "
          + "scenarios; give a scenario another name"))
  }

  @Test func `classes outside of 'files' are an error that says where to put them`() async throws {
    let workspace = try workspace()
    try workspace.write(#"{ "Documents/**": "critical" }"#, to: "Scenarios/app.json5")
    let run = try await workspace.run("run")
    #expect(run.status == 2)
    #expect(
      run.errors.hasPrefix(
        "Scenarios/app.json5:1:3: error: the patterns must be in 'files': write { files: { "
          + "\"Documents/**\": … } }"))
  }

  @Test func `an unused pattern is reported with its probable mistake`() async throws {
    let workspace = try workspace()
    try workspace.write(
      """
      { files: {
        "Documents/*.mp4": "cached", "~/Documents/**": "critical", "documents/*.txt": "critical",
        "Library/*": "support",
      } }
      """, to: "Scenarios/app.json5")
    let notes = try await workspace.run("run").errors
    for advice in [
      "'~/Documents/**' (critical) matched no file in any scenario, so nothing was checked against it; a "
        + "path begins in the container, without '~'",
      "against it; the directory is 'Documents': names on a device are case-sensitive",
      "against it; if the files are in subfolders, write 'Library/**'",
    ] {
      #expect(notes.contains(advice), "\(advice)")
    }
  }

  @Test func `exploration uses the classes, and writes them into a trace`() async throws {
    let workspace = try workspace()
    try workspace.write(
      """
      { title: "A diary", steps: [
        { createDirectory: "Documents/Diary" },
        { save: "Documents/Diary/1.txt", contents: "old" },
        { save: "Documents/Diary/1.txt", contents: "newer", how: "inPlace" },
        { backup: "a" },
      ] }
      """, to: "Scenarios/a.json5")
    try workspace.write(
      "{ files: { 'Documents/Diary/**': 'critical' } }", to: "Scenarios/app.json5")
    let run = try await workspace.run("explore", "a", "--write", "traces")
    #expect(run.output.contains("Scenarios/a.json5:4:3: error: user-data-lost"))
    let trace = try workspace.text(of: "traces/a-1.json5")
    #expect(trace.contains("files: { \"Documents/Diary/**\": \"critical\" }"), "\(trace)")
  }

  @Test func `a new scenario leaves the classes to app.json5`() async throws {
    let workspace = try workspace()
    #expect(try await workspace.run("new", "movies/c").status == 0)
    let text = try workspace.text(of: "Scenarios/movies/c.json5")
    #expect(text.contains("\n  // Scenarios/app.json5 gives the classes of the app's files."))
    #expect(!text.contains("\n  files:"))
    #expect(try await workspace.run("check").output == "3 scenarios: no mistakes\n")
    let reserved = try await workspace.run("new", "movies/app")
    #expect(reserved.status == 2)
    #expect(reserved.errors.contains("'movies/app' is not an id, because app.json5 gives"))
  }
}
#endif
