#if os(macOS) || os(Linux)
import BackupVerdicts
import Foundation
import TestSupport
import Testing

@testable import backup_testing

@Suite struct ReviewCommandTests {
  /// A workspace in which three golden files differ by a renamed directory, and one by a size.
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

  func waiting(in workspace: Workspace) -> [String] {
    workspace.files(in: "Golden").filter { $0.hasSuffix(".new") }
  }

  /// What a review with these answers prints, and how many changes it leaves.
  func review(
    _ workspace: Workspace, _ answers: [String]
  ) throws -> (text: String, left: Int) {
    let goldens = GoldenStore(folder: workspace.url("Golden").path)
    let review = Review(goldens: goldens, isColored: false)
    var (text, rest) = ("", answers[...])
    let left = try review.ask(
      about: try goldens.readPending().pending, answer: { rest.popFirst() }, print: { text += $0 })
    #expect(rest.isEmpty)
    return (text, left)
  }

  @Test func `pending lists the changes, for people and programs`() async throws {
    let workspace = try await changedWorkspace()
    let text = try await workspace.run("pending")
    #expect(text.status == 1)
    #expect(
      text.output == """
        a: Golden/a.golden: renamed: Documents/Movies/1.mp4 → Documents/Films/1.mp4; 2 lines differ
        b: Golden/b.golden: renamed: Documents/Movies/1.mp4 → Documents/Films/1.mp4; 2 lines differ
        deep/c: Golden/deep/c.golden: renamed: Documents/Movies/1.mp4 → Documents/Films/1.mp4; \
        2 lines differ
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

  @Test func `pending lists nothing where nothing waits`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    _ = try await workspace.run("run")
    for command in ["pending", "review"] { #expect(try await workspace.run(command).status == 0) }
    #expect(try await workspace.run("pending").output.isEmpty)
    #expect(
      try await workspace.run("pending", "--format=json").output
        == "{\n  \"format\" : 1,\n  \"pending\" : [\n\n  ]\n}\n")
  }

  @Test(arguments: [("--golden", 2), ("--scenarios", 2), ("--pending", 0)])
  func `a folder that is not there is named`(option: String, status: Int32) async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    let run = try await workspace.run("pending", option, "nosuch")
    #expect(run.status == status && run.errors.contains("nosuch: no such folder"))
  }

  @Test func `several golden folders share a folder for new texts`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    try workspace.write(Sample.document, to: "Sync/a.json5")
    let run = ["run", "Scenarios", "Sync"]
    _ = try await workspace.run(run)
    for golden in ["Golden", "Golden-Sync"] {
      try workspace.replace("a.txt  1000", with: "a.txt  1001", in: "\(golden)/a.golden")
    }
    let variable = ["BACKUP_TESTING_PENDING": "new"]
    let left = try await workspace.run(run, environment: variable)
    #expect(left.errors.contains("accept a --golden Golden-Sync --pending new\n"), "\(left.errors)")
    #expect(
      workspace.files(in: "new") == ["Golden-Sync/a.golden.new", "Golden/a.golden.new"])
    #expect(waiting(in: workspace).isEmpty)
    #expect(try await workspace.run("pending").status == 0)
    #expect(try await workspace.run("pending", environment: variable).status == 1)
    let accept = try await workspace.run(
      "accept", "--all", "--golden", "Golden-Sync", "--pending", "new")
    #expect(accept.output == "accepted Golden-Sync/a.golden\n")
    #expect(try await workspace.run("reject", "a", environment: variable).status == 0)
    #expect(workspace.files(in: "new").isEmpty)
    #expect(
      try await workspace.run(run).output.hasSuffix("2 scenarios in 2 runs: 1 passed, 1 failed\n"))
  }

  @Test func `what is no file is named, not passed over`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    _ = try await workspace.run("run")
    try workspace.folder.makeFolder("Golden/a.golden.new")
    for arguments in [["pending"], ["accept", "--all"], ["reject", "a"]] {
      let run = try await workspace.run(arguments)
      #expect(run.status == 2)
      #expect(run.errors.contains("Golden/a.golden.new: this is a folder, not a file; remove it"))
    }
  }

  @Test func `accept takes the changes that are named`() async throws {
    let workspace = try await changedWorkspace()
    let run = try await workspace.run("accept", "a", "deep/c", "a")
    #expect(run.status == 0)
    #expect(run.output == "accepted Golden/a.golden\naccepted Golden/deep/c.golden\n")
    #expect(waiting(in: workspace) == ["b.golden.new", "other.golden.new"])
    #expect(try await workspace.run("accept", "--all").status == 0)
    #expect(waiting(in: workspace).isEmpty)
    #expect(try await workspace.run("run").status == 0)
  }

  @Test func `reject keeps the golden files`() async throws {
    let workspace = try await changedWorkspace()
    let former = try workspace.text(of: "Golden/a.golden")
    #expect(try await workspace.run("reject", "a").output == "kept Golden/a.golden\n")
    #expect(try await workspace.run("reject", "--all").status == 0)
    #expect(waiting(in: workspace).isEmpty)
    #expect(try workspace.text(of: "Golden/a.golden") == former)
  }

  @Test func `review without a terminal shows each change once, and the commands`() async throws {
    let workspace = try await changedWorkspace()
    let run = try await workspace.shell("\"$TOOL\" review --golden Golden < /dev/null")
    #expect(run.status == 1)
    #expect(
      run.output.hasPrefix(
        """
        the same change in 3 files:
        a: Golden/a.golden: renamed: Documents/Movies/1.mp4 → Documents/Films/1.mp4; 2 lines differ
        b: Golden/b.golden: renamed: Documents/Movies/1.mp4 → Documents/Films/1.mp4; 2 lines differ
        deep/c: Golden/deep/c.golden: renamed: Documents/Movies/1.mp4 → Documents/Films/1.mp4; \
        2 lines differ
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

  @Test func `review takes all equal changes at once`() async throws {
    let workspace = try await changedWorkspace()
    let (text, left) = try review(workspace, ["a", " R "])
    #expect(left == 0)
    #expect(text.contains("[a]ccept all 3, [r]eject all 3, [s]kip, [e]ach alone, [q]uit? "))
    #expect(
      text.hasSuffix("[a]ccept, [r]eject, [s]kip, [q]uit? \n3 accepted, 1 rejected, 0 left\n"))
    #expect(waiting(in: workspace).isEmpty)
    let run = try await workspace.run("run")
    #expect(run.output == "4 scenarios in 4 runs: 3 passed, 1 failed\n")
  }
}
#endif
