#if os(macOS) || os(Linux)
import BackupVerdicts
import TestSupport
import Testing

/// The folder of golden files without the option `--golden`.
@Suite struct GoldenPlaceTests {
  @Test(
    arguments: [
      ("Scenarios", "Golden"), ("Scenarios/", "Golden"), ("S", "Golden-S"),
      ("a/b", "a/Golden-b"), ("a/Scenarios/.", "a/Scenarios/./../Golden"),
      ("a/S/b/..", "a/S/b/../../Golden-S"), ("./S", "./Golden-S"), ("/S", "/Golden-S"),
      ("/a/S", "/a/Golden-S"), ("/", "//../Golden"), ("é", "Golden-é"),
    ])
  func `golden files are beside the scenario folder`(scenarios: String, golden: String) {
    #expect(GoldenStore(besideScenarios: scenarios).folder == golden)
  }

  @Test func `a golden file outside of the working directory is reported`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    let outside = try TestFolder(["out/x.json5": Sample.document])
    let run = try await workspace.run("run", "\(outside.path)/out/x.json5")
    #expect(run.errors.contains("/Golden-out/x.golden, which is outside of the working directory;"))
    #expect(run.errors.contains("do: if it belongs elsewhere, delete it, and name the folder with"))
    let inside = try await workspace.run("run")
    #expect(!inside.errors.contains("outside of the working directory"))
  }
}
#endif
