#if os(macOS) || os(Linux)
import Testing

/// A scenario can have tags, and the name of the bug that it is about.
@Suite struct TagTests {
  private let movie = Sample.document.replacing(
    "title:", with: "tags: ['movies'], bug: '#7', title:")

  @Test func `a tag selects scenarios`() async throws {
    let workspace = try Workspace(scenarios: ["a": movie, "b": Sample.document])
    _ = try await workspace.run("run")
    let run = try await workspace.run("run", "--tag", "movies")
    #expect(run.output == "1 scenario in 1 run: 1 passed\n")
    let unknownTag = try await workspace.run("run", "--tag", "books")
    #expect(unknownTag.status == 2)
    #expect(unknownTag.errors == "backup-testing: error: no scenario has the tag 'books'\n")
  }

  @Test func `reports show tags and bugs`() async throws {
    let workspace = try Workspace(scenarios: ["a": movie])
    let page = try await workspace.run("run", "--format", "html").output
    #expect(page.contains(" <span class=\"soft\">#movies #7</span></summary>"))
  }

  @Test func `explain can read results instead of running the scenario`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.lostMark])
    _ = try await workspace.run("run", "--format", "json", "--output", "results.out")
    let all = try await workspace.run("explain", "a", "--results", "results.out")
    #expect(all.status == 0)
    #expect(all.output.contains("  Library/list.db\n      included: its mark was lost in "))
    let oneItem = try await workspace.run(
      "explain", "a", "Library/list.db", "--results", "results.out")
    #expect(oneItem.output.contains("  Library/list.db\n      included: its mark was lost in "))
    let missing = try await workspace.run("explain", "a", "Library/x", "--results", "results.out")
    #expect(missing.status == 2)
    let unknown = try await workspace.run("explain", "c", "--results", "results.out")
    #expect(unknown.errors.contains("results.out: scenario 'c' is not in these results; "))
  }
}
#endif
