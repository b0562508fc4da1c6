#if os(macOS) || os(Linux)
import BackupDevice
import BackupDiagnostics
import Foundation
import TestSupport
import Testing

@testable import BackupScenarios
@testable import BackupVerdicts

extension JSONReportTests {
  /// Runs the scenarios in this process, and returns the report.
  private func report(of workspace: Workspace, isStrict: Bool = false) async throws -> SuiteReport {
    let text = try await workspace.report("json", isStrict: isStrict)
    return try JSONDecoder().decode(SuiteReport.self, from: Data(text.utf8))
  }

  @Test func `long texts of a scenario are shortened`() async throws {
    let long = String(repeating: "x", count: 100_000)
    let workspace = try Workspace(scenarios: [
      "a": """
      {
        title: "\(long)",
        steps: [{ save: "Documents/a", size: 1 }, { backup: "\(long)" }],
      }
      """
    ])
    for format in ["json", "junit", "text", "github"] {
      let report = try await workspace.report(format)
      let longest = report.split(separator: "\n").map(\.utf8.count).max() ?? 0
      #expect(longest > 0 && longest < 5_000, "\(format): \(longest)")
    }
  }

  @Test func `steps of the app and of iOS are events, which change the states of items`()
    async throws
  {
    let workspace = try Workspace(scenarios: ["a": Sample.everything])
    let report = try await report(of: workspace)
    let scenario = try #require(report.scenarios.first)
    let run = try #require(scenario.runs?.first)
    let bySystem = run.events.filter { $0.kind != .app && $0.kind != .launch }
    #expect(bySystem.map(\.kind) == [.backup, .purge, .updateApp, .updateSystem, .restore])
    #expect(bySystem.map(\.step) == ["4", "5", "6", "7", "8"])
    #expect(bySystem.first?.files == 1)
    #expect(bySystem.first?.bytes == 10)
    #expect(
      run.states(of: "Documents/a.txt") == [
        "in 10 bytes: neither the item nor a directory above it is marked; created in step 1 (line 6)"
      ])
    #expect(
      run.states(of: "Library/Caches/c.bin") == [
        "place 20 bytes: Library/Caches is never backed up", "missing: purged",
      ])
    #expect(
      run.states(of: "tmp/t.bin") == [
        "place 30 bytes: tmp is never backed up", "missing: not kept by the update",
      ])
    #expect(run.findings.first?.step == "launch 1")
    #expect(scenario.verdict == .failed)
    #expect(scenario.problems.contains { $0.isFailure && $0.position.line == 4 })
  }

  @Test func `an item's states show that its mark was set and lost`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.lostMark])
    let report = try await report(of: workspace)
    let scenario = try #require(report.scenarios.first)
    let run = try #require(scenario.runs?.first)
    let states = run.states(of: "Library/list.db").map { $0.prefix { $0 != " " } }
    #expect(states == ["in", "mark", "in"], "\(run.states(of: "Library/list.db"))")
  }

  @Test func `a backup has the sum of sizes for each class`() async throws {
    let text = """
      {
        title: "Sizes",
        files: { "Documents/**": "critical", "Library/a": "support" },
        steps: [
          { save: "Documents/a", size: 3 }, { save: "Documents/b", size: 4 },
          { save: "Library/a", size: 5 }, { save: "Library/Preferences/x", size: 1 },
          { save: "Library/Caches/c", size: 9 },
          { backup: "all" },
        ],
      }
      """
    let workspace = try Workspace(scenarios: ["a": text])
    let report = try await report(of: workspace)
    let event = report.scenarios.first?.runs?.first?.events.last
    #expect(event?.byClass == ["critical": 7, "support": 5, "undeclared": 1])
  }

  @Test func `each run of a scenario is in the report`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.matrix, "b": Sample.failingStepOnError])
    _ = try await workspace.report("json")
    let report = try await report(of: workspace)
    #expect(report.scenarios.map(\.id) == ["a", "b"])
    #expect(report.scenarios.map(\.verdict) == [.passed, .error])
    #expect(report.scenarios[0].runs?.map(\.system) == ["5.0.1", "5.1", "18"])
  }

  @Test func `a skipped scenario has no run`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.performing])
    for (isStrict, verdict) in [(false, ScenarioResult.Verdict.skipped), (true, .failed)] {
      let report = try await report(of: workspace, isStrict: isStrict)
      let scenario = try #require(report.scenarios.first)
      #expect(report.scenarios.count == 1)
      #expect(scenario.verdict == verdict)
      #expect(scenario.runs?.isEmpty == true)
      #expect(scenario.problems.map(\.position.line) == [4])
      #expect(scenario.problems.map(\.isFailure) == [isStrict])
    }
  }

  @Test func `special characters in names stay valid JSON`() async throws {
    let workspace = try Workspace(scenarios: [OddScenarios.id: OddScenarios.text])
    let report = try await report(of: workspace)
    let scenario = try #require(report.scenarios.first)
    #expect(scenario.id == OddScenarios.id)
    #expect(
      scenario.runs?.first?.findings.first?.path
        == "Library/<a>&\"b\"%0A::c,\\n\\u{1B}[31m\\u{202E}/]]>.db")
  }

  @Test func `the same run writes the same bytes, except the times`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.matrix, "b": Sample.lostMark])
    _ = try await workspace.report("json")
    var texts: [String] = []
    for _ in 1...2 {
      let lines = try await workspace.report("json").split(separator: "\n")
      texts.append(
        lines.filter { line in
          !["\"seconds\"", "\"started\"", "\"time\""].contains(where: line.contains)
        }
        .joined(separator: "\n"))
    }
    #expect(texts[0] == texts[1])
  }
}
#endif
