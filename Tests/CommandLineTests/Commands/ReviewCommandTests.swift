#if os(macOS) || os(Linux)
import BackupVerdicts
import Foundation
import TestSupport
import Testing

@testable import backup_testing

@Suite struct ReviewCommandTests {
  /// Creates scenarios that differ from their golden files: three by a renamed directory, and one
  /// by a size.
  func changedWorkspace() async throws -> Workspace {
    let movie = """
      {
        title: "A movie",
        steps: [
          { createDirectory: "Documents/Movies" },
          { save: "Documents/Movies/1.mp4", size: SIZE },
          { backup: "b" },
        ],
      }
      """
    var scenarios = ["other": Sample.document]
    for id in ["a", "b", "deep/c"] {
      scenarios[id] = movie.replacing("SIZE", with: "\(scenarios.count)")
    }
    let workspace = try Workspace(scenarios: scenarios)
    _ = try await workspace.run("run")
    for id in ["a", "b", "deep/c"] {
      try workspace.replace("Movies", with: "Films", in: "Scenarios/\(id).json5")
    }
    try workspace.replace("a.txt  1000", with: "a.txt  1001", in: "Golden/other.golden")
    let run = try await workspace.run("run")
    #expect(
      run.errors.contains("    do: if this is intended, run: swift run backup-testing accept a\n"))
    #expect(
      run.errors.contains("    do: to review all changes, run: swift run backup-testing review\n"))
    return workspace
  }

  /// The new golden files that wait for a review.
  func waiting(in workspace: Workspace) -> [String] {
    workspace.files(in: "Golden").filter { $0.hasSuffix(".new") }
  }

  /// Reviews all changes with these answers. Returns the output, and the number of changes left.
  func review(
    _ workspace: Workspace, _ answers: [String]
  ) throws -> (text: String, left: Int) {
    let goldens = GoldenStore(folder: workspace.url("Golden").path)
    let review = Review(goldens: goldens, isColored: false)
    var (text, remainingAnswers) = ("", answers[...])
    let left = try review.ask(
      about: try goldens.readPending().pending, readAnswer: { remainingAnswers.popFirst() },
      print: { text += $0 })
    #expect(remainingAnswers.isEmpty)
    return (text, left)
  }

  @Test func `pending lists the changes, for people and programs`() async throws {
    let workspace = try await changedWorkspace()
    let text = try await workspace.run("pending")
    #expect(text.status == 1)
    #expect(
      text.output == """
        a: Golden/a.golden: renamed: Documents/Movies/1.mp4 → Documents/Films/1.mp4; 4 lines differ
        b: Golden/b.golden: renamed: Documents/Movies/1.mp4 → Documents/Films/1.mp4; 4 lines differ
        deep/c: Golden/deep/c.golden: renamed: Documents/Movies/1.mp4 → Documents/Films/1.mp4; \
        4 lines differ
        other: Golden/other.golden: 2 lines differ

        """)
    let json = try await workspace.run("pending", "--format", "json")
    #expect(json.status == 1)
    let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    #expect(object?["format"] as? Int == 1)
    #expect(
      (object?["pending"] as? [[String: String]])?.last == [
        "id": "other", "golden": "Golden/other.golden", "new": "Golden/other.golden.new",
        "scenario": "Scenarios/other.json5", "summary": "2 lines differ",
      ])
  }

  @Test func `accept accepts the named changes`() async throws {
    let workspace = try await changedWorkspace()
    let run = try await workspace.run("accept", "a", "deep/c", "a")
    #expect(run.status == 0)
    #expect(run.output == "accepted Golden/a.golden\naccepted Golden/deep/c.golden\n")
    #expect(waiting(in: workspace) == ["b.golden.new", "other.golden.new"])
    let all = try await workspace.run("accept", "--all")
    #expect(all.status == 0)
    #expect(all.errors.isEmpty)
    #expect(waiting(in: workspace).isEmpty)
    #expect(try await workspace.run("run").status == 0)
  }

  @Test func `accept names the failed scenarios that have no change to accept`() async throws {
    let workspace = try await changedWorkspace()
    let failed = ["a", "b"].map { "\"\(workspace.url("Scenarios/\($0).json5").path)\"" }
    try workspace.write(
      "[\(failed.joined(separator: ", "))]", to: ".build/debug/backup-testing-failed.json")
    try FileManager.default.removeItem(at: workspace.url("Golden/b.golden.new"))
    let run = try await workspace.run("accept", "--all")
    #expect(run.status == 0)
    #expect(
      run.errors
        == "warning: 1 other scenario failed in the last test, because a rule is broken or a step "
        + "failed: Scenarios/b.json5\n")
  }

  @Test func `reject keeps the golden files`() async throws {
    let workspace = try await changedWorkspace()
    let oldGolden = try workspace.text(of: "Golden/a.golden")
    #expect(try await workspace.run("reject", "a").output == "kept Golden/a.golden\n")
    #expect(try await workspace.run("reject", "--all").status == 0)
    #expect(waiting(in: workspace).isEmpty)
    #expect(try workspace.text(of: "Golden/a.golden") == oldGolden)
  }

  @Test func `review without a terminal shows each change once, and the commands to run`()
    async throws
  {
    let workspace = try await changedWorkspace()
    let run = try await workspace.shell("\"$TOOL\" review --golden Golden < /dev/null")
    #expect(run.status == 1)
    #expect(
      run.output.hasPrefix(
        """
        the same change in 3 files:
        a: Golden/a.golden: renamed: Documents/Movies/1.mp4 → Documents/Films/1.mp4; 4 lines differ
        b: Golden/b.golden: renamed: Documents/Movies/1.mp4 → Documents/Films/1.mp4; 4 lines differ
        deep/c: Golden/deep/c.golden: renamed: Documents/Movies/1.mp4 → Documents/Films/1.mp4; \
        4 lines differ
          golden    now     - only in the golden file, + only in this run

        """))
    #expect(run.output.contains("\n  why: step 3: Documents/Films/1.mp4 is included: neither"))
    #expect(run.output.contains("\nother: Golden/other.golden: 2 lines differ\n"))
    #expect(
      run.output.hasSuffix(
        """

        to accept, run: swift run backup-testing accept ID…
        to reject, run: swift run backup-testing reject ID…

        """))
    #expect(waiting(in: workspace).count == 4)
  }
}
#endif
