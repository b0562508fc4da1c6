import Testing

/// `explore`: the system acts at every point.
@Suite struct ExploreCommandTests {
  /// A diary that is written in place.
  private static let torn = """
    {
      title: "A diary",
      files: { "Documents/**": "critical" },
      steps: [
        { createDirectory: "Documents/x" },
        { save: "Documents/diary.txt", contents: "old" },
        { save: "Documents/diary.txt", contents: "newer", how: "inPlace" },
        { backup: "at night" },
      ],
    }
    """

  @Test func `a story that goes wrong is shown, written, and wrong when it is run`() async throws {
    let workspace = try Workspace(scenarios: ["d/diary": Self.torn])
    let all = try await workspace.run("explore", "--write", "Scenarios/found")
    #expect(all.status == 1)
    #expect(all.output.hasPrefix("Scenarios/d/diary.json5:7:5: error: torn-save: killed in step 3"))
    #expect(all.output.contains("killed: { before: \"write\", path: \"Documents/diary.txt\" }"))
    #expect(all.output.contains("\nexplored d/diary: "))
    #expect(all.output.contains("written: Scenarios/found/d-diary-1.json5\n"))
    #expect(!workspace.exists("Golden"))
    let run = try await workspace.run("run", "--record", "missing", "Scenarios/found")
    #expect(run.status == 1)
    #expect(run.errors.contains("error: torn-save"))
  }

  @Test func `a story is written over nothing but itself`() async throws {
    let workspace = try Workspace(scenarios: ["diary": Self.torn])
    let first = try await workspace.run("explore", "--write", "found")
    let again = try await workspace.run("explore", "--write", "found")
    #expect(again.status == 1 && again.output == first.output)
    try workspace.write("mine", to: "found/diary-1.json5")
    let other = try await workspace.run("explore", "--write", "found")
    #expect(other.status == 2)
    #expect(other.errors.contains("found/diary-1.json5: something else than this story is there"))
    #expect(try workspace.text(of: "found/diary-1.json5") == "mine")
  }

  @Test func `what is right is right, and nothing explored is not`() async throws {
    let right = Self.torn.replacing(", how: \"inPlace\"", with: "")
    let workspace = try Workspace(scenarios: ["a": right])
    let all = try await workspace.run("explore")
    #expect(all.status == 0)
    #expect(all.output.hasSuffix(" 0 wrong, 0 not explored\n"))
    let code = try Workspace(scenarios: ["a": "{ title: 'a', steps: [{ perform: 'save' }] }"])
    let none = try await code.run("explore")
    #expect(none.status == 1)
    #expect(none.output.hasPrefix("not explored: a: step 1 (perform save) is code of the app"))
  }

  @Test func `a budget that runs out is said`() async throws {
    let workspace = try Workspace(scenarios: ["diary": Self.torn])
    let some = try await workspace.run("explore", "--budget", "2")
    #expect(some.output.contains("2 histories, INCOMPLETE: the budget ran out"))
    #expect(some.output.contains("1 INCOMPLETE: their budget ran out"))
    #expect(some.status == 1)
  }

  @Test(arguments: [
    ["--depth", "0"], ["--depth", "x"], ["--budget", "-1"], ["--tier", "last"], ["--filter", "x"],
  ])
  func `options that make no sense are errors`(arguments: [String]) async throws {
    let workspace = try Workspace(scenarios: ["diary": Self.torn])
    let run = try await workspace.run(["explore"] + arguments)
    #expect(run.status == 2 && run.output.isEmpty && !run.errors.isEmpty)
  }
}
