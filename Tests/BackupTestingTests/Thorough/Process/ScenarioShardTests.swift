import Foundation
import TestSupport
import Testing

@testable import BackupDiagnostics
@testable import BackupScenarios
@testable import BackupTesting
@testable import BackupVerdicts

/// The variable `BACKUP_TESTING_SHARD` and Bazel's variables divide the scenarios of a test.
@Suite struct ScenarioShardTests {
  /// A folder of seven scenarios. Of two shards, the first has `a` and the second has `b`.
  private let sandbox: ScenarioSandbox

  init() throws {
    let names = ["a", "b", "x/a", "x/b", "x/c", "x/d", "x/e"]
    sandbox = try ScenarioSandbox(
      Dictionary(uniqueKeysWithValues: names.map { ("\($0).json5", ScenarioSandbox.right) }))
  }

  /// Runs code in a test process with an environment.
  private func inProcess<Result>(
    _ environment: [String: String], _ body: () throws -> Result
  ) rethrows -> Result {
    let process = TestProcess(environment: environment, folder: sandbox.folder.url)
    return try TestProcess.$current.withValue(process, operation: body)
  }

  /// Returns the ids of the scenarios that a test gets in an environment.
  private func ids(
    _ environment: [String: String], matching glob: String = "**"
  ) throws -> [String] {
    try inProcess(environment) {
      try Scenario.all(in: sandbox.scenarios, matching: glob).map(\.id)
    }
  }

  /// Returns the error that an environment causes.
  private func complaint(_ environment: [String: String]) -> String {
    let error = #expect(throws: RunError.self) { try ids(environment) }
    return error.map { "\($0.code): \($0)" } ?? ""
  }

  /// Returns Bazel's variables for a shard, whose index begins at 0. The status file does not exist
  /// yet.
  private func bazel(_ index: String, of count: String, file: String = "status") -> [String: String]
  {
    [
      "TEST_TOTAL_SHARDS": count, "TEST_SHARD_INDEX": index,
      "TEST_SHARD_STATUS_FILE": sandbox.folder.url(file).path,
    ]
  }

  @Test func `each scenario is in one of the shards`() throws {
    let shards = try (1...3).map { try ids([Shard.environmentVariable: "\($0)/3"]) }
    #expect(shards.allSatisfy { !$0.isEmpty })
    #expect(shards.joined().sorted() == (try ids([:])))
    #expect(try ids([Shard.environmentVariable: ""]).count == 7)
  }

  @Test func `Bazel's shards count from 0, and the kit creates Bazel's status file`() throws {
    for index in 0..<3 {
      let bazel = bazel("\(index)", of: "3", file: "status\(index)")
      #expect(try ids(bazel) == (try ids([Shard.environmentVariable: "\(index + 1)/3"])))
      #expect(try sandbox.folder.text(of: "status\(index)").isEmpty)
    }
    for count in ["", "0"] {
      #expect(try ids(bazel("0", of: count)).count == 7)
      #expect(!sandbox.folder.exists("status"))
    }
  }

  @Test func `the kit's variable takes precedence over Bazel's, which are then ignored`() throws {
    let bothVariables = bazel("0", of: "3").merging([Shard.environmentVariable: "2/2"]) { $1 }
    #expect(try ids(bothVariables) == (try ids([Shard.environmentVariable: "2/2"])))
    #expect(!sandbox.folder.exists("status"))
  }

  @Test func `tests that another runner has divided are not divided again`() throws {
    try sandbox.folder.write("", to: "status")
    #expect(try ids(bazel("0", of: "3")).count == 7)
  }

  @Test(
    arguments: [
      ("x", "3"), ("3", "3"), ("-1", "3"), ("", "3"), ("0", "x"), ("0", "-1"),
      ("9223372036854775807", "3"),
    ])
  func `Bazel's variables that name no shard are an error`(index: String, count: String) {
    #expect(
      complaint(bazel(index, of: count))
        == "contradictory: TEST_SHARD_INDEX is '\(index)' and TEST_TOTAL_SHARDS is '\(count)'; "
        + "expected the number of shards, and an index from 0 to one less")
    #expect(!sandbox.folder.exists("status"))
  }

  @Test(arguments: ["0/8", "9/8", "x"])
  func `a variable that names no shard is an error`(shard: String) {
    #expect(
      complaint([Shard.environmentVariable: shard]).hasPrefix(
        "contradictory: BACKUP_TESTING_SHARD: '\(shard)' is not a shard; expected a number, "))
  }

  @Test func `a status file that cannot be written is an error`() {
    #expect(
      complaint(bazel("0", of: "3", file: "missing/status")).hasPrefix(
        "unwritable: TEST_SHARD_STATUS_FILE: \(sandbox.folder.path)/missing/status: cannot be "))
  }

  @Test func `a shard with no scenario of the folder is an error`() {
    #expect(
      complaint([Shard.environmentVariable: "3/1000"])
        == "noScenario: shard 3/1000 has 0 of 7 scenarios in \(sandbox.scenarios), so nothing is "
        + "tested; use fewer shards")
    #expect(
      complaint([Shard.environmentVariable: "2/2", "BACKUP_TESTING_FILTER": "a"])
        .contains("shard 2/2 has 0 of 1 scenario in "))
  }

  @Test func `a test of a part of the folder may have no scenario in a shard`() throws {
    #expect(try ids([Shard.environmentVariable: "1/2"], matching: "a") == ["a"])
    #expect(try ids([Shard.environmentVariable: "2/2"], matching: "a").isEmpty)
  }

  @Test func `a file with mistakes fails only its own shard`() throws {
    try sandbox.folder.write("{", to: "Scenarios/b.json5")
    #expect(try !ids([Shard.environmentVariable: "1/2"]).contains("b"))
    #expect(try ids([Shard.environmentVariable: "2/2"]).contains("b"))
  }

  @Test func `actions and golden files of another shard cause no problem`() async throws {
    let performing = ScenarioSandbox.right.replacing("backup: 'one'", with: "perform: 'save'")
    try sandbox.folder.write(performing, to: "Scenarios/b.json5")
    for name in ["b", "gone"] {
      try sandbox.folder.write("# golden 2: \(name)\n", to: "Golden/\(name).golden")
    }
    let reportPath = sandbox.folder.url("out").path
    let process = TestProcess(
      environment: [
        Shard.environmentVariable: "1/2", "BACKUP_TESTING_REPORT": "json:\(reportPath)",
      ],
      folder: sandbox.folder.url)
    let texts = try await TestProcess.$current.withValue(process) {
      let scenarios = try Scenario.all(in: sandbox.scenarios)
      #expect(!scenarios.contains { $0.id == "b" })
      let issues = await TestIssue.collecting {
        for scenario in scenarios { await scenario.run(actions: ["save": { _ in }]) }
      }
      return issues.map(\.text)
    }
    // The action 'save' is performed in the other shard.
    #expect(!texts.contains { $0.contains("is bound") }, "\(texts)")
    let report = try JSONDecoder().decode(
      SuiteReport.self, from: Data(try sandbox.folder.text(of: "out").utf8))
    #expect(report.orphans == ["\(sandbox.goldens)/gone.golden"])
  }
}
