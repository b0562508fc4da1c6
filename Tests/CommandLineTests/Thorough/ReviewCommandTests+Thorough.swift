#if os(macOS) || os(Linux)
import BackupVerdicts
import Foundation
import TestSupport
import Testing

@testable import backup_testing
extension ReviewCommandTests {
  @Test func `on CI, no new golden file is left for a review`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    _ = try await workspace.run("run")
    try workspace.replace("a.txt  1000", with: "a.txt  1001", in: "Golden/a.golden")
    let run = try await workspace.run("run", environment: ["CI": "1"])
    #expect(run.status == 1)
    #expect(run.errors.contains("do: if this is intended, run it again where CI is not set, "))
    #expect(waiting(in: workspace).isEmpty)
  }

  @Test(arguments: ["accept", "reject"])
  func `a change is accepted or rejected only by its id`(command: String) async throws {
    let workspace = try await changedWorkspace()
    let files = waiting(in: workspace)
    for (arguments, reason) in [
      ([], "name ids, or use --all"), (["--all", "a"], "--all takes no ids"),
      (["x"], "'x' has no change to review in Golden; 'backup-testing pending' lists the changes"),
      (["../a"], "'../a' has no change to review in Golden"),
    ] {
      let run = try await workspace.run([command] + arguments)
      #expect(run.status == 2)
      #expect(run.errors.contains(reason), "\(run.errors)")
    }
    #expect(waiting(in: workspace) == files)
  }

  @Test func `accept writes nothing if one of the changes is invalid`() async throws {
    let workspace = try await changedWorkspace()
    let oldGolden = try workspace.text(of: "Golden/a.golden")
    try workspace.write("\u{1B}[31m", to: "Golden/b.golden.new")
    for run in [
      try await workspace.run("accept", "--all"), try await workspace.run("accept", "a", "b"),
    ] {
      #expect(run.status == 2)
      #expect(
        run.errors == """
          backup-testing: error: Golden/b.golden.new: the kit did not write this file; run the \
          scenario again, or reject 'b'

          """)
    }
    #expect(try workspace.text(of: "Golden/a.golden") == oldGolden)
    #expect(try await workspace.run("pending").status == 2)
    #expect(try await workspace.run("review").status == 2)
  }

  @Test func `review can ask about equal changes one by one`() async throws {
    let workspace = try await changedWorkspace()
    let (_, left) = try review(workspace, ["e", "a", "s", "r", "q"])
    #expect(left == 2)
    #expect(waiting(in: workspace) == ["b.golden.new", "other.golden.new"])
    #expect(try workspace.text(of: "Golden/a.golden").contains("Films"))
    #expect(try workspace.text(of: "Golden/deep/c.golden").contains("Movies"))
  }

  @Test func `review asks again after an unknown answer, and ends with the input`()
    async throws
  {
    let workspace = try await changedWorkspace()
    let (text, left) = try review(workspace, ["", "x", "accept"])
    #expect(left == 4)
    #expect(text.components(separatedBy: "[q]uit? ").count == 5)
    #expect(text.components(separatedBy: "the same change in").count == 2)
    #expect(waiting(in: workspace).count == 4)
  }

  @Test func `review does not print control characters`() async throws {
    let workspace = try await changedWorkspace()
    let text = try workspace.text(of: "Golden/other.golden.new")
    try workspace.write(
      text.replacing("# why: ", with: "# why: \u{1B}[2J")
        .replacing("# scenario ", with: "# scenario \u{1B}[2J"),
      to: "Golden/other.golden.new")
    for arguments in [["review"], ["pending"]] {
      let run = try await workspace.run(arguments)
      #expect(run.status == 1)
      #expect(!run.output.contains("\u{1B}"))
    }
  }

  @Test func `without changes, pending lists nothing`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    _ = try await workspace.run("run")
    for command in ["pending", "review"] { #expect(try await workspace.run(command).status == 0) }
    #expect(try await workspace.run("pending").output.isEmpty)
    #expect(
      try await workspace.run("pending", "--format=json").output
        == "{\n  \"format\" : 1,\n  \"pending\" : [\n\n  ]\n}\n")
  }

  @Test(arguments: [("--golden", 2), ("--scenarios", 2), ("--pending", 0)])
  func `a missing folder is reported`(option: String, status: Int32) async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    let run = try await workspace.run("pending", option, "nosuch")
    #expect(run.status == status && run.errors.contains("nosuch: no such folder"))
  }

  @Test func `several golden folders can share a folder for new texts`() async throws {
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
      try await workspace.run(run).output.hasSuffix(
        "2 scenarios in 2 runs: 1 passed, 1 failed\nfailed: a\n"))
  }

  @Test func `a folder with the name of a new golden file is an error`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    _ = try await workspace.run("run")
    try workspace.folder.makeFolder("Golden/a.golden.new")
    for arguments in [["pending"], ["accept", "--all"], ["reject", "a"]] {
      let run = try await workspace.run(arguments)
      #expect(run.status == 2)
      #expect(run.errors.contains("Golden/a.golden.new: this is a folder, not a file; remove it"))
    }
  }

  @Test func `review can accept or reject all equal changes at once`() async throws {
    let workspace = try await changedWorkspace()
    let (text, left) = try review(workspace, ["a", " R "])
    #expect(left == 0)
    #expect(text.contains("[a]ccept all 3, [r]eject all 3, [s]kip, [e]ach alone, [q]uit? "))
    #expect(
      text.hasSuffix("[a]ccept, [r]eject, [s]kip, [q]uit? \n3 accepted, 1 rejected, 0 left\n"))
    #expect(waiting(in: workspace).isEmpty)
    let run = try await workspace.run("run")
    #expect(run.output == "4 scenarios in 4 runs: 3 passed, 1 failed\nfailed: other\n")
  }
}
#endif
