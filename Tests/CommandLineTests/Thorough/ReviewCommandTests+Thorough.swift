#if os(macOS) || os(Linux)
import BackupVerdicts
import Foundation
import TestSupport
import Testing

@testable import backup_testing
extension ReviewCommandTests {
  @Test func `nothing is left for a review on CI`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    _ = try await workspace.run("run")
    try workspace.replace("a.txt  1000", with: "a.txt  1001", in: "Golden/a.golden")
    let run = try await workspace.run("run", environment: ["CI": "1"])
    #expect(run.status == 1)
    #expect(run.errors.contains("do: if this is intended, run it again where CI is not set, "))
    #expect(waiting(in: workspace).isEmpty)
  }

  @Test(arguments: ["accept", "reject"])
  func `no change is taken without its name`(command: String) async throws {
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

  @Test func `accept writes nothing if one of the changes cannot be used`() async throws {
    let workspace = try await changedWorkspace()
    let former = try workspace.text(of: "Golden/a.golden")
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
    #expect(try workspace.text(of: "Golden/a.golden") == former)
    #expect(try await workspace.run("pending").status == 2)
    #expect(try await workspace.run("review").status == 2)
  }

  @Test func `review takes equal changes one by one`() async throws {
    let workspace = try await changedWorkspace()
    let (_, left) = try review(workspace, ["e", "a", "s", "r", "q"])
    #expect(left == 2)
    #expect(waiting(in: workspace) == ["b.golden.new", "other.golden.new"])
    #expect(try workspace.text(of: "Golden/a.golden").contains("Films"))
    #expect(try workspace.text(of: "Golden/deep/c.golden").contains("Movies"))
  }

  @Test func `review asks again what it does not understand, and ends with the input`()
    async throws
  {
    let workspace = try await changedWorkspace()
    let (text, left) = try review(workspace, ["", "x", "accept"])
    #expect(left == 4)
    #expect(text.components(separatedBy: "[q]uit? ").count == 5)
    #expect(text.components(separatedBy: "the same change in").count == 2)
    #expect(waiting(in: workspace).count == 4)
  }

  @Test func `review shows what others wrote without their control characters`() async throws {
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
}
#endif
