import TestSupport
import Testing
import TrialSupport

@testable import BackupScenarios
@testable import BackupVerdicts

@Suite struct `A golden file` {
  /// Returns the golden text of all runs of a scenario.
  private func text(
    _ steps: [String], _ other: String = "", id: String = "trial"
  ) async throws -> String {
    let scenario = try Trial.scenario(steps, id: id, other)
    let transcripts = try await scenario.variants.asyncMap {
      try await ScenarioRunner().run(scenario, $0)
    }
    #expect(transcripts.allSatisfy { $0.failure == nil })
    return scenario.goldenText(of: transcripts)
  }

  @Test func `has a section for each act of iOS`() async throws {
    let text = try await text(
      markedMovie + [
        "{ save: 'Documents/a', size: '2 KB' }", "{ backup: 'first' }",
        "{ save: 'Library/Caches/c', size: 5 }", "{ save: 'tmp/t', size: 6 }",
        "{ purge: 'lowStorage' }", "{ updateApp: '2.0' }", "{ updateSystem: '\(Trial.newest)' }",
        "{ restore: 'first' }", "{ relaunch: {} }",
      ], "system: '18'", id: "marks/movie")
    #expect(
      text == """
        # golden 2: marks/movie
        system iOS 18, iCloud
        backup "first": 1 file, 2000 bytes
          in   Documents/
          in   Documents/a  2000 bytes
          in   Library/
          in   Library/Application Support/
          in   Library/Application Support/Movies/
          out  Library/Application Support/Movies/1.mp4  (own mark)
          out  Library/Caches/  (location)
          in   Library/Preferences/
          out  tmp/  (location)
        purge lowStorage: 5 bytes freed
          purged  Library/Caches/c  5 bytes
        updateApp 2.0
          there  Documents/
          there  Documents/a  2000 bytes
          there  Library/
          there  Library/Application Support/
          there  Library/Application Support/Movies/
          there  Library/Application Support/Movies/1.mp4  7000000 bytes (7.0 MB)
          there  Library/Caches/
          there  Library/Preferences/
          there  tmp/
          gone   tmp/t  (not carried over)
        updateSystem \(Trial.newest)
        restore "first"
          there  Documents/
          there  Documents/a  2000 bytes
          there  Library/
          there  Library/Application Support/
          there  Library/Application Support/Movies/
          gone   Library/Application Support/Movies/1.mp4  (not in the backup: own mark)
          there  Library/Caches/
          there  Library/Preferences/
          there  tmp/

        """)
  }

  @Test func `lists what an offload and a deletion leave in a group's container`() async throws {
    let text = try await text(
      [
        "{ save: 'group.x:/a', size: 3 }", "{ offload: {} }", "{ reinstall: {} }",
        "{ reinstall: {} }",
      ], "app: { groups: ['group.x'] }")
    let sections = text.split(separator: "container group.x, of a group\n").dropFirst()
    #expect(sections.count == 3)
    #expect(sections.first?.contains("  there  group.x:/a  3 bytes\n") == true)
    #expect(sections.last?.contains("  gone   group.x:/a  (deleted with the app)\n") == true)
  }

  @Test func `is sorted by the bytes of the paths`() async throws {
    let names = ["a-b", "a/x", "a0", "B", "é", "Z"]
    let steps =
      ["{ createDirectory: 'Documents/a' }"]
      + names.map { "{ save: 'Documents/\($0)', size: 1 }" }
    let lines = try await text(steps + ["{ backup: 'a' }"]).split(separator: "\n")
      .filter { $0.hasPrefix("  in   Documents/") }.compactMap {
        $0.split(separator: "  ").dropFirst().first
      }
    #expect(
      lines.map { $0.dropFirst(" Documents/".count) } == [
        "", "B", "Z", "a-b", "a/", "a/x", "a0", "é",
      ])
  }

  @Test func `escapes line breaks in names`() async throws {
    let text = try await text(
      [
        "{ save: 'Documents/a\\nb\\u202Ec\\\\', size: 1 }", "{ backup: 'x\\ny' }",
        "{ purge: ['tmp/p\\nq'] }", "{ updateApp: '2\\n' }",
      ], id: "i\nd")
    #expect(text.hasPrefix("# golden 2: i\\nd\n"))
    #expect(text.contains("\n  in   Documents/a\\nb\\u{202E}c\\\\  1 byte\n"))
    #expect(text.contains("backup \"x\\ny\": 1 file"))
    #expect(text.contains("\npurge tmp/p\\nq: 0 bytes freed\n"))
    #expect(text.contains("\nupdateApp 2\\n\n"))
  }

  @Test func `names marked items that are backed up, and links`() async throws {
    let text = try await text(
      markedMovie + ["{ link: 'Documents/l', to: 'tmp' }", "{ backup: 'a' }"],
      "guidance: 'ignored'")
    #expect(
      text.contains(
        "  in   \(support)/Movies/1.mp4  7000000 bytes (7.0 MB)  (marked, but backed up)\n"))
    #expect(text.contains("  in   Documents/l  (link)\n"))
  }

  /// Returns the lines that name runs.
  private func headers(_ steps: [String], _ other: String) async throws -> [String] {
    try await text(steps, other).split(separator: "\n").map(String.init)
      .filter { $0.hasPrefix("system ") }
  }

  @Test func `merges runs with the same outcome`() async throws {
    let allSystems = "['5.0', '5.0.1', '5.1', '6', '18', '26']"
    let kinds = "backups: ['iCloud', 'local', 'local-encrypted']"
    #expect(
      try await headers(["{ purge: 'lowStorage' }"], "system: \(allSystems), \(kinds)")
        == ["system iOS 5.0…6, 18 and 26, iCloud, local and local-encrypted"])
    #expect(
      try await headers(["{ backup: 'a' }"], "system: \(allSystems)")
        == ["system iOS 5.0…6, iCloud", "system iOS 18 and 26, iCloud"])
    #expect(
      try await headers(["{ backup: 'a' }"], "system: ['26', '5.0', '18', '9', '6']")
        == ["system iOS 26, 18 and 9, iCloud", "system iOS 5.0 and 6, iCloud"])
  }

  @Test func `is split into the runs that it was composed of`() async throws {
    let steps = ["{ backup: 'a' }", "{ purge: 'lowStorage' }"]
    let other =
      "system: ['5.0', '5.0.1', '5.1', '6', '9', '18', '26'], backups: ['local', 'iCloud']"
    let scenario = try Trial.scenario(steps, other)
    let transcripts = try await scenario.variants.asyncMap {
      try await ScenarioRunner().run(scenario, $0)
    }
    let text = scenario.goldenText(of: transcripts)
    let lines = text.split(separator: "\n").map(String.init)
    for transcript in transcripts {
      let section = try #require(scenario.goldenSection(of: transcript.variant, in: text))
      #expect(section.body == transcript.goldenLines)
      #expect(lines[section.firstLine - 1] == section.body.first)
    }
  }
}
