#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

@testable import BackupVerdicts

/// With `--shard`, `run` and `explore` use a part of the scenarios.
@Suite struct ShardTests {
  /// Creates two scenarios. The first of two shards has `a`, and the second has `b`.
  private func workspace() async throws -> Workspace {
    let workspace = try Workspace(scenarios: ["a": Sample.document, "b": Sample.document])
    _ = try await workspace.run("run")
    return workspace
  }

  @Test func `each scenario runs in exactly one of four shards`() async throws {
    let names = (1...40).map { "s\($0)" }
    let workspace = try Workspace(
      scenarios: Dictionary(uniqueKeysWithValues: names.map { ($0, Sample.document) }))
    _ = try await workspace.run("run")
    var shards: [[String]] = []
    for number in 1...4 {
      let run = try await workspace.run(
        "run", "--strict", "--format", "json", "--shard", "\(number)/4", environment: ["CI": "1"])
      #expect(run.status == 0, "\(run.errors)")
      let report = try JSONDecoder().decode(SuiteReport.self, from: Data(run.output.utf8))
      #expect(report.orphans == [])
      shards.append(report.scenarios.map(\.id))
    }
    #expect(shards.allSatisfy { !$0.isEmpty })
    #expect(shards.joined().sorted() == names.sorted())
  }

  @Test func `an option or a variable selects the shard, and its size is printed`() async throws {
    let workspace = try await workspace()
    let first = try await workspace.run("run", "--shard", "1/2")
    #expect(first.status == 0)
    #expect(first.errors == "shard 1/2 has 1 of 2 scenarios in Scenarios\n")
    #expect(first.output == "1 scenario in 1 run: 1 passed\n")
    let variable = ["BACKUP_TESTING_SHARD": "2/2"]
    let second = try await workspace.run("run", "--format", "json", environment: variable)
    #expect(second.output.contains("\"id\" : \"b\""))
    #expect(!second.output.contains("\"id\" : \"a\""))
    let withOption = try await workspace.run("run", "--shard=1/1", environment: variable)
    #expect(withOption.output == "2 scenarios in 2 runs: 2 passed\n")
    let check = try await workspace.run("check", environment: variable)
    #expect(check.output.contains("2 scenarios"), "\(check.output)")
  }

  @Test(arguments: ["run", "explore"], ["0/2", "3/2", "x"])
  func `a shard that does not exist runs nothing`(command: String, shard: String) async throws {
    let workspace = try await workspace()
    let run = try await workspace.run(command, "--shard", shard)
    #expect(run.status == 2)
    #expect(run.output.isEmpty)
    #expect(run.errors.hasPrefix("backup-testing: error: --shard: '\(shard)' is not a shard; exp"))
    let variable = try await workspace.run(command, environment: ["BACKUP_TESTING_SHARD": shard])
    #expect(variable.status == 2)
    #expect(variable.errors.contains("error: BACKUP_TESTING_SHARD: '\(shard)' is not a shard; "))
  }

  @Test(arguments: ["run", "explore"])
  func `a shard without scenarios fails, and its report says so`(command: String) async throws {
    let workspace = try await workspace()
    let message = "shard 3/8 has 0 of 2 scenarios in Scenarios, so nothing is tested; use fewer"
    let run = try await workspace.run(command, "--shard", "3/8")
    #expect(run.status == 2)
    #expect(run.errors == "backup-testing: error: \(message) shards\n")
    _ = try await workspace.run("run", "--shard", "3/8", "--format=junit", "--output=out.xml")
    #expect(try workspace.text(of: "out.xml").contains(message))
  }

  @Test func `a golden file of another shard is not an orphan`() async throws {
    let workspace = try await workspace()
    let clean = try await workspace.run("run", "--shard", "1/2", environment: ["CI": "1"])
    #expect(clean.status == 0, "\(clean.errors)")
    try workspace.write("# golden 2: gone\n", to: "Golden/gone.golden")
    let run = try await workspace.run("run", "--shard", "1/2", environment: ["CI": "1"])
    #expect(run.status == 1)
    #expect(run.errors.contains("Golden/gone.golden:1:1: error: no scenario has this golden file"))
    #expect(!run.errors.contains("Golden/b.golden"))
    let deleting = try await workspace.run("run", "--shard", "1/2", "--delete-orphans")
    #expect(deleting.status == 2)
    #expect(deleting.errors.contains("needs a whole folder; remove --filter, --shard, --tag, "))
    #expect(workspace.exists("Golden/gone.golden"))
  }

  @Test func `a file with mistakes fails only its own shard`() async throws {
    let workspace = try await workspace()
    try workspace.write("{", to: "Scenarios/b.json5")
    #expect(try await workspace.run("run", "--shard", "1/2").status == 0)
    let second = try await workspace.run("run", "--shard", "2/2")
    #expect(second.status == 2)
    #expect(second.errors.contains("Scenarios/b.json5:"))
  }

  @Test func `a shard explores the same of its scenarios as the whole suite`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.expectedLostMark, "b": Sample.document])
    let allScenarios = try await workspace.run("explore")
    #expect(allScenarios.output.contains("explored b: "))
    #expect(allScenarios.output.hasSuffix(" 1 with 'expect' skipped\n"), "\(allScenarios.output)")
    let second = try await workspace.run("explore", "--shard", "2/2")
    #expect(second.status == 0)
    #expect(second.output.contains("explored b: "))
    // A scenario with 'expect' is explored only if it is the only scenario, not the only one in its
    // shard.
    let first = try await workspace.run("explore", "--shard", "1/2")
    #expect(first.status == 1)
    #expect(first.output.hasPrefix("0 scenarios explored, "))
    #expect(first.output.hasSuffix(" 1 with 'expect' skipped\n"))
    let replay = try await workspace.run("explore", "--shard", "2/2", "--replay", "b:1.relaunch")
    #expect(replay.status == 2)
    #expect(replay.errors.contains("remove --shard"), "\(replay.errors)")
  }
}
#endif
