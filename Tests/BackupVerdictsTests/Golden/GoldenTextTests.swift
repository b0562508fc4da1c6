import TestSupport
import Testing
import TrialSupport

@testable import BackupScenarios
@testable import BackupVerdicts

@Suite struct `A golden file` {
  /// The text of all runs of a scenario.
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

  @Test func `has a section for each thing the system did`() async throws {
    let text = try await text(
      markedMovie + [
        "{ save: 'Documents/a', size: '2 KB' }", "{ backup: 'first' }",
        "{ save: 'Library/Caches/c', size: 5 }", "{ save: 'tmp/t', size: 6 }",
        "{ purge: 'lowStorage' }", "{ updateApp: '2.0' }", "{ updateSystem: '\(Trial.newest)' }",
        "{ restore: 'first' }", "{ relaunch: {} }",
      ], "system: '18'", id: "marks/movie")
    #expect(
      text == """
        # golden 1: marks/movie
        system iOS 18, iCloud
        step 5 backup "first": 1 file, 2000 bytes
        + Documents/a  2000
        - Library/Application Support/Movies/1.mp4  own mark
        - Library/Caches/  location
        + Library/Preferences/
        - tmp/  location
        step 8 purge lowStorage: 5 bytes taken
        - Library/Caches/c  5
        step 9 updateApp 2.0
        + Documents/a  2000
        + Library/Application Support/Movies/1.mp4  7000000
        + Library/Caches/
        + Library/Preferences/
        + tmp/
        - tmp/t  not carried over
        step 10 updateSystem \(Trial.newest)
        step 11 restore "first"
        + Documents/a  2000
        + Library/Application Support/Movies/
        - Library/Application Support/Movies/1.mp4  own mark
        + Library/Caches/
        + Library/Preferences/
        + tmp/

        """)
  }

  @Test func `lists what an offload and a deletion leave in a group's container`() async throws {
    let text = try await text(
      [
        "{ save: 'group.x:/a', size: 3 }", "{ offload: {} }", "{ reinstall: {} }",
        "{ reinstall: {} }",
      ], "app: { groups: ['group.x'] }")
    let sections = text.split(separator: "step ").dropFirst().map { section in
      section.split(separator: "container group.x, of a group\n").dropFirst().first.map(String.init)
    }
    #expect(sections.count == 3)
    #expect(sections.first??.contains("+ group.x:/a  3\n") == true)
    #expect(sections.last??.contains("- group.x:/a  deleted with the app\n") == true)
  }

  @Test func `is sorted by the bytes of the paths`() async throws {
    let names = ["a-b", "a/x", "a0", "B", "é", "Z"]
    let steps =
      ["{ createDirectory: 'Documents/a' }"]
      + names.map { "{ save: 'Documents/\($0)', size: 1 }" }
    let lines = try await text(steps + ["{ backup: 'a' }"]).split(separator: "\n")
      .filter { $0.hasPrefix("+ Documents") }
    #expect(
      lines.map { String($0.dropFirst(12).dropLast(3)) } == ["B", "Z", "a-b", "a/x", "a0", "é"])
  }

  @Test func `keeps one line a line`() async throws {
    let text = try await text(
      [
        "{ save: 'Documents/a\\nb\\u202Ec\\\\', size: 1 }", "{ backup: 'x\\ny' }",
        "{ purge: ['tmp/p\\nq'] }", "{ updateApp: '2\\n' }",
      ], id: "i\nd")
    #expect(text.hasPrefix("# golden 1: i\\nd\n"))
    #expect(text.contains("\n+ Documents/a\\nb\\u{202E}c\\\\  1\n"))
    #expect(text.contains("step 2 backup \"x\\ny\": 1 file"))
    #expect(text.contains("\nstep 3 purge tmp/p\\nq: 0 bytes taken\n"))
    #expect(text.contains("\nstep 4 updateApp 2\\n\n"))
  }

  @Test func `says what is marked but backed up, and links`() async throws {
    let text = try await text(
      markedMovie + ["{ link: 'Documents/l', to: 'tmp' }", "{ backup: 'a' }"],
      "guidance: 'ignored'")
    #expect(text.contains("+ \(support)/Movies/1.mp4  7000000  marked, but backed up\n"))
    #expect(text.contains("+ Documents/l  link\n"))
  }

  /// The lines that name runs.
  private func headers(_ steps: [String], _ other: String) async throws -> [String] {
    try await text(steps, other).split(separator: "\n").map(String.init)
      .filter { $0.hasPrefix("system ") }
  }

  @Test func `merges the runs that come to the same`() async throws {
    let all = "['5.0', '5.0.1', '5.1', '6', '18', '26']"
    let kinds = "backups: ['iCloud', 'local', 'local-encrypted']"
    #expect(
      try await headers(["{ purge: 'lowStorage' }"], "system: \(all), \(kinds)")
        == ["system iOS 5.0…6, 18 and 26, iCloud, local and local-encrypted"])
    #expect(
      try await headers(["{ backup: 'a' }"], "system: \(all)")
        == ["system iOS 5.0…6, iCloud", "system iOS 18 and 26, iCloud"])
    #expect(
      try await headers(["{ backup: 'a' }"], "system: ['26', '5.0', '18', '9', '6']")
        == ["system iOS 26, 18 and 9, iCloud", "system iOS 5.0 and 6, iCloud"])
  }

  @Test func `is taken apart into the runs that it was put together from`() async throws {
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
