import BackupDevice
import BackupDiagnostics
import BackupFileTree
import Foundation
import TestSupport
import Testing

@testable import BackupScenarios
@testable import BackupVerdicts

/// The report for other programs.
@Suite struct JSONReportTests {
  /// The report of a run as objects.
  private func object(_ run: Workspace.Outcome) throws -> [String: Any] {
    let value = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    return try #require(value as? [String: Any])
  }

  @Test func `a green run has the documented shape`() async throws {
    let workspace = try Workspace(scenarios: ["marks/a": Sample.expectedLostMark])
    _ = try await workspace.run("run")
    let run = try await workspace.run("run", "--format", "json")
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    let report = try object(run)
    #expect(Set(report.keys) == ["format", "scenarios", "passed", "failed", "skipped"])
    #expect(report["format"] as? Int == 1)
    #expect(report["passed"] as? Int == 1)
    #expect(report["failed"] as? Int == 0)
    let entries = try #require(report["scenarios"] as? [[String: Any]])
    let entry = try #require(entries.first)
    #expect(
      Set(entry.keys) == [
        "id", "file", "system", "backups", "verdict", "events", "findings",
      ])
    #expect(entry["id"] as? String == "marks/a")
    #expect(entry["file"] as? String == "Scenarios/marks/a.json5")
    #expect(entry["system"] as? String == Sample.newest)
    #expect(entry["backups"] as? String == "iCloud")
    #expect(entry["verdict"] as? String == "passed")
    let event = try #require((entry["events"] as? [[String: Any]])?.first)
    #expect(
      Set(event.keys) == ["step", "kind", "label", "bytes", "byFolder", "included", "leftOut"])
    let finding = try #require((entry["findings"] as? [[String: Any]])?.first)
    #expect(
      Set(finding.keys) == [
        "rule", "severity", "step", "line", "path", "message", "advice", "sources", "expected",
      ])
    #expect(finding["step"] as? Int == 3)
    #expect(finding["line"] as? Int == 6)
    #expect(finding["expected"] as? Bool == true)
  }

  @Test func `no text of a file is longer in it than a message is`() async throws {
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
      let run = try await workspace.run("run", "--format", format, "--record", "never")
      let longest = run.output.split(separator: "\n").map(\.utf8.count).max() ?? 0
      #expect(longest > 0 && longest < 5_000, "\(format): \(longest)")
    }
  }

  @Test func `everything the system does is an event`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.everything])
    let run = try await workspace.run("run", "--format", "json")
    let report = try JSONDecoder().decode(DecodedReport.self, from: Data(run.output.utf8))
    let entry = try #require(report.scenarios.first)
    let events = entry.events
    try #require(
      events.map(\.kind) == ["backup", "purge", "updateApp", "updateSystem", "restore"])
    #expect(events.map(\.step) == [4, 5, 6, 7, 8].map { .number($0) })
    #expect(events[0].bytes == 10)
    #expect(events[0].included?.map(\.path) == ["Documents/a.txt", "Library/Preferences"])
    #expect(events[0].included?.map(\.size) == [10, nil])
    #expect(events[0].leftOut?.map(\.path) == ["Library/Caches", "app.app", "tmp"])
    #expect(events[0].leftOut?.map(\.reason) == ["location", "bundle", "location"])
    #expect(events[1].pressure == "lowStorage")
    #expect(events[1].taken?.map(\.path) == ["Library/Caches/c.bin"])
    #expect(events[2].version == "2.0")
    #expect(events[2].missing?.map(\.path) == ["tmp/t.bin"])
    #expect(events[3].version == "6")
    #expect(events[4].label == "the old phone")
    #expect(events[4].missing?.map(\.reason) == ["location", "location"])
    #expect(events[4].missing?.map(\.decidedBy) == ["Library/Caches", "tmp"])
    #expect(entry.findings.first?.step == .words("launch 1"))
    #expect(run.output.contains("\"step\" : \"launch 1\""))
    #expect(entry.verdict == "failed")
    #expect(entry.problems?.contains { $0.fails && $0.line == 4 } == true)
  }

  @Test func `a backup's sizes are summed up by class and by folder`() async throws {
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
    let run = try await workspace.run("run", "--format", "json")
    let report = try JSONDecoder().decode(DecodedReport.self, from: Data(run.output.utf8))
    let event = try #require(report.scenarios.first?.events.first)
    #expect(
      event.byClass?.mapValues { "\($0.files) files, \($0.bytes) bytes" } == [
        "critical": "2 files, 7 bytes", "support": "1 files, 5 bytes",
        "undeclared": "1 files, 1 bytes",
      ])
    #expect(
      event.byFolder?.map { "\($0.path): \($0.files) files, \($0.bytes) bytes" } == [
        "Documents: 2 files, 7 bytes", "Library: 1 files, 5 bytes",
        "Library/Preferences: 1 files, 1 bytes",
      ])
  }

  @Test func `each item of an event has its kind, a file its size and a link its target`()
    async throws
  {
    let workspace = try Workspace(scenarios: ["a": Sample.everyKind])
    let run = try await workspace.run("run", "--format", "json")
    let report = try JSONDecoder().decode(DecodedReport.self, from: Data(run.output.utf8))
    let events = try #require(report.scenarios.first).events
    try #require(events.map(\.kind) == ["backup", "purge", "updateApp", "restore"])
    let (note, link) = ("Documents/a.txt file 10", "Documents/latest link -> a.txt")
    let preferences = "Library/Preferences directory"
    #expect(events[0].included?.map(\.description) == [note, link, preferences])
    let leftOut = ["Library/Caches directory: location", "Library/movie file 30: own-mark"]
    #expect(events[0].leftOut?.map(\.description) == leftOut + ["tmp directory: location"])
    let taken = ["Library/Caches/dir directory 20", "Library/Caches/link link -> dir"]
    #expect(events[1].taken?.map(\.description) == taken)
    #expect(events[2].missing?.map(\.description) == ["tmp/t file 40"])
    let present = [note, link, "Library/Caches directory", preferences, "tmp directory"]
    #expect(events[3].present?.map(\.description) == present)
    #expect(events[3].missing?.map(\.description).contains(leftOut[1]) == true)
    #expect(run.output.contains("\"kind\" : \"link\""))
    #expect(run.output.contains("\"target\" : \"a.txt\""))
  }

  @Test func `a link by an absolute path has the same target in each run`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.absoluteLink])
    let run = try await workspace.run("run", "--format", "json")
    let report = try JSONDecoder().decode(DecodedReport.self, from: Data(run.output.utf8))
    let events = try #require(report.scenarios.first).events
    try #require(events.map(\.kind) == ["backup", "updateApp"])
    let words = "Documents/latest link -> CONTAINER/Documents/a.txt"
    #expect(events[0].included?.map(\.description).contains(words) == true)
    #expect(events[1].present?.map(\.description).contains(words) == true)
    #expect(!run.output.contains("/sbt-"))
  }

  @Test func `what is no file, directory or link, or cannot be read, has a kind of its own`() throws
  {
    let path = try ContainerPath("Documents/odd")
    let special = try JSONValue.item(path, FileTree.Item(.special)).decoded()
    #expect(special.description == "Documents/odd special")
    let unreadable = try JSONValue.item(
      path, FileTree.Item(.unreadable(reason: "no")), .unreadable("no")
    ).decoded()
    #expect(unreadable.description == "Documents/odd unreadable: unreadable")
  }

  @Test func `each system is an entry`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.matrix, "b": Sample.failingStep])
    _ = try await workspace.run("run")
    let run = try await workspace.run("run", "--format", "json")
    #expect(run.status == 1)
    let report = try JSONDecoder().decode(DecodedReport.self, from: Data(run.output.utf8))
    #expect(report.scenarios.map(\.id) == ["a", "a", "a", "b"])
    #expect(report.scenarios.map(\.system) == ["5.0.1", "5.1", "18", Sample.newest])
    #expect(report.scenarios.map(\.verdict) == ["passed", "passed", "passed", "error"])
    #expect(report.passed == 3)
    #expect(report.failed == 1)
    #expect(run.errors.hasPrefix("Scenarios/b.json5:5:5: error: "))
  }

  @Test func `a skipped scenario is an entry without a system`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.performing])
    for (options, verdict) in [([], "skipped"), (["--strict"], "failed")] {
      let run = try await workspace.run(["run", "--format", "json"] + options)
      let report = try JSONDecoder().decode(DecodedReport.self, from: Data(run.output.utf8))
      let entry = try #require(report.scenarios.first)
      #expect(report.scenarios.count == 1)
      #expect(entry.verdict == verdict)
      #expect(entry.system == nil && entry.backups == nil)
      #expect(entry.problems?.map(\.line) == [4])
      #expect(entry.problems?.map(\.fails) == [!options.isEmpty])
      #expect((report.skipped, report.failed) == (options.isEmpty ? (1, 0) : (0, 1)))
    }
  }

  @Test func `a mistaken file is an entry with its mistakes, and what stops the run is said`()
    async throws
  {
    let workspace = try Workspace(scenarios: ["m/a": "{ titel: 1,\n steps: 5 }", "b": "{"])
    let run = try await workspace.run("run", "--format", "json")
    #expect(run.status == 2)
    let report = try JSONDecoder().decode(DecodedReport.self, from: Data(run.output.utf8))
    #expect(report.scenarios.map(\.id) == ["b", "m/a"])
    #expect(report.scenarios.map(\.verdict) == ["error", "error"])
    #expect((report.passed, report.failed, report.skipped) == (0, 2, 0))
    let entry = report.scenarios[1]
    #expect(entry.file == "Scenarios/m/a.json5")
    #expect(entry.problems?.contains { ($0.line, $0.column, $0.fails) == (2, 9, true) } == true)
    #expect(report.obstacle == nil)
    let stopped = try await workspace.run("run", "--format", "json", "--filter", "x")
    let other = try JSONDecoder().decode(DecodedReport.self, from: Data(stopped.output.utf8))
    #expect(
      other.obstacle
        == "there is no scenario that 'x' matches in Scenarios; check --filter")
  }

  @Test func `a golden file fails every entry of its scenario`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.matrix])
    for (mode, verdict) in [("never", "failed"), ("missing", "recorded"), ("never", "passed")] {
      let run = try await workspace.run("run", "--format", "json", "--record", mode)
      let report = try JSONDecoder().decode(DecodedReport.self, from: Data(run.output.utf8))
      #expect(Set(report.scenarios.map(\.verdict)) == [verdict])
    }
  }

  @Test func `odd names stay well formed`() async throws {
    let workspace = try Workspace(scenarios: [OddScenarios.id: OddScenarios.text])
    let run = try await workspace.run("run", "--format", "json")
    let report = try JSONDecoder().decode(DecodedReport.self, from: Data(run.output.utf8))
    let entry = try #require(report.scenarios.first)
    #expect(entry.id == OddScenarios.id)
    #expect(
      entry.findings.first?.path
        == "Library/<a>&\"b\"%0A::c,\\n\\u{1B}[31m\\u{202E}/]]>.db")
    #expect(entry.events.first?.label == "label \r\n::error::<x>&amp;\u{FFFE}")
  }

  @Test func `the same run writes the same bytes`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.matrix, "b": Sample.lostMark])
    _ = try await workspace.run("run")
    let first = try await workspace.run("run", "--format", "json")
    let second = try await workspace.run("run", "--format", "json")
    #expect(first.output == second.output)
  }
}

extension JSONValue {
  /// What another program reads of an item.
  fileprivate func decoded() throws -> DecodedReport.Item {
    try JSONDecoder().decode(DecodedReport.Item.self, from: JSONEncoder().encode(self))
  }
}
