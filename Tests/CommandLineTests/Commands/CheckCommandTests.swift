#if os(macOS) || os(Linux)
import Testing

/// `check` reads scenarios without running them.
@Suite struct CheckCommandTests {
  @Test func `nothing is run or written`() async throws {
    let workspace = try Workspace(scenarios: [
      "a": Sample.lostMark, "b/c": Sample.failingStepOnError,
    ])
    let all = try await workspace.run("check")
    #expect(all.status == 0)
    #expect(all.output == "2 scenarios: no mistakes\n")
    #expect(all.errors.isEmpty)
    #expect(!workspace.exists("Golden"))
    #expect(try await workspace.run("check", "b/c").output == "1 scenario: no mistakes\n")
    #expect(try await workspace.run("check", "--filter", "b/*").output.hasPrefix("1 scenario:"))
  }

  @Test func `an unknown requirement is a mistake`() async throws {
    let text = Sample.document.replacing(
      "files:", with: "requirements: [\"backup.document\"],\n  files:")
    let run = try await Workspace(scenarios: ["a": text]).run("check")
    #expect(run.status == 2)
    #expect(run.errors.hasPrefix("Scenarios/a.json5:3:18: error: "))
    #expect(run.errors.contains("did you mean 'backup.documents'?"))
  }

  @Test func `it is an error if there is nothing to check`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    #expect(try await workspace.run("check", "--filter", "x").status == 2)
    let missing = try await workspace.run("check", "Scenarios/a")
    #expect(missing.status == 2)
    #expect(missing.errors.contains("there is no folder or file 'Scenarios/a'"))
  }
}
#endif
