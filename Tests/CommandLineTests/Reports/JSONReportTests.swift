#if os(macOS) || os(Linux)
import BackupDevice
import BackupDiagnostics
import Foundation
import TestSupport
import Testing

@testable import BackupScenarios
@testable import BackupVerdicts

/// The JSON report, which other programs read.
@Suite struct JSONReportTests {
  /// Decodes the report of a run without the kit's types.
  func object(_ run: Workspace.Outcome) throws -> [String: Any] {
    let value = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    return try #require(value as? [String: Any])
  }

  func report(_ run: Workspace.Outcome) throws -> SuiteReport {
    try JSONDecoder().decode(SuiteReport.self, from: Data(run.output.utf8))
  }

  @Test func `the report of a passed run has the documented keys`() async throws {
    let workspace = try Workspace(scenarios: ["marks/a": Sample.expectedLostMark])
    _ = try await workspace.run("run")
    let run = try await workspace.run("run", "--format", "json")
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    let report = try object(run)
    #expect(Set(report.keys) == ["format", "scenarios", "passed", "failed", "skipped", "origin"])
    #expect(report["format"] as? Int == 3)
    #expect(report["passed"] as? Int == 1)
    #expect(report["failed"] as? Int == 0)
    let scenarios = try #require(report["scenarios"] as? [[String: Any]])
    let scenario = try #require(scenarios.first)
    #expect(
      Set(scenario.keys) == [
        "id", "file", "title", "tags", "verdict", "problems", "runCount", "runs", "started",
        "seconds",
      ])
    #expect(scenario["id"] as? String == "marks/a")
    #expect(scenario["file"] as? String == "Scenarios/marks/a.json5")
    #expect(scenario["verdict"] as? String == "passed")
    let entry = try #require((scenario["runs"] as? [[String: Any]])?.first)
    #expect(
      Set(entry.keys) == [
        "system", "backups", "findings", "events", "items", "moreItems",
      ])
    #expect(entry["system"] as? String == Sample.newest)
    #expect(entry["backups"] as? String == "iCloud")
    let events = try #require(entry["events"] as? [[String: Any]])
    let backup = try #require(events.first { $0["kind"] as? String == "backup" })
    #expect(Set(backup.keys) == ["step", "line", "kind", "summary", "files", "bytes"])
    let finding = try #require((entry["findings"] as? [[String: Any]])?.first)
    #expect(
      Set(finding.keys) == [
        "rule", "severity", "step", "line", "path", "message", "advice", "sources", "expected",
      ])
    #expect(finding["step"] as? String == "3")
    #expect(finding["line"] as? Int == 6)
    #expect(finding["expected"] as? Bool == true)
  }

  @Test func `an invalid file is an entry with its mistakes, and an obstacle is in the report`()
    async throws
  {
    let workspace = try Workspace(scenarios: ["m/a": "{ titel: 1,\n steps: 5 }", "b": "{"])
    let run = try await workspace.run("run", "--format", "json")
    #expect(run.status == 2)
    let report = try report(run)
    #expect(report.scenarios.map(\.id) == ["b", "m/a"])
    #expect(report.scenarios.map(\.verdict) == [.error, .error])
    let scenario = report.scenarios[1]
    #expect(scenario.file == "Scenarios/m/a.json5")
    #expect(scenario.problems.map(\.kind).allSatisfy { $0 == .unreadable })
    #expect(scenario.problems.contains { $0.position == SourcePosition(line: 2, column: 9) })
    #expect(report.obstacle == nil)
    let stopped = try await workspace.run("run", "--format", "json", "--filter", "x")
    #expect(
      try self.report(stopped).obstacle
        == "there is no scenario that 'x' matches in Scenarios; check --filter")
  }

  @Test func `the golden file and the record mode decide the verdict`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.matrix])
    for (mode, verdict) in [
      ("never", ScenarioResult.Verdict.failed), ("missing", .recorded), ("never", .passed),
    ] {
      let run = try await workspace.run("run", "--format", "json", "--record", mode)
      #expect(try report(run).scenarios.map(\.verdict) == [verdict])
    }
  }
}

extension RunReport {
  /// Returns the states of an item, for example `in 20 bytes: its mark was lost`.
  func states(of path: String) -> [String] {
    (items.first { $0.path == path }?.states ?? []).map { state in
      state.state + (state.size.map { " \($0) bytes" } ?? "") + (state.why.map { ": \($0)" } ?? "")
    }
  }
}
#endif
