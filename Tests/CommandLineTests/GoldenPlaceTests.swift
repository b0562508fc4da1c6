import BackupVerdicts
import Testing

/// Where golden files are without `--golden`.
@Suite struct GoldenPlaceTests {
  @Test(
    arguments: [
      ("Scenarios", "Golden"), ("Scenarios/", "Golden"), ("S", "Golden"), ("a/b", "a/Golden"),
      (".", "./../Golden"), ("..", "../../Golden"), ("a/..", "a/../../Golden"),
      ("./S", "./Golden"), ("/S", "/Golden"), ("/a/S", "/a/Golden"), ("/", "//../Golden"),
      ("é", "Golden"),
    ])
  func `golden files are beside the scenario folder`(scenarios: String, golden: String) {
    #expect(GoldenStore(besideScenarios: scenarios).folder == golden)
  }
}
