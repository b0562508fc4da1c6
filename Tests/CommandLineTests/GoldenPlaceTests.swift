#if os(macOS) || os(Linux)
import BackupVerdicts
import Testing

/// Where golden files are without `--golden`.
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
}
#endif
