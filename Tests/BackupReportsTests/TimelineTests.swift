import BackupRules
import BackupScenarios
import TestSupport
import Testing

@testable import BackupReports

/// What is not as in the backup before.
@Suite struct TimelineTests {
  /// The changes of each moment of a scenario's first run, in a line each.
  private func moments(_ steps: String) async throws -> [[String]] {
    let scenario = try Scenario(text: "{ title: \"T\", steps: [\(steps)] }")
    let transcript = try await ScenarioRunner().run(scenario, scenario.variants[0])
    #expect(transcript.failure == nil)
    return Timeline(of: transcript).moments.map { moment in
      moment.changes.map { "\($0.kind.rawValue) \($0.name): \($0.why)" }
        .filter { !$0.contains("Preferences/") && !$0.contains(" tmp/") }
    }
  }

  @Test func `a backup says what came in, what was resized and what went out`() async throws {
    let moments = try await moments(
      """
      { save: "Documents/a", size: 1 }, { save: "Documents/b", size: 1 },
      { save: "Documents/c", size: 1 }, { backup: "one" },
      { save: "Documents/a", size: 2 }, { remove: "Documents/b" }, { exclude: "Documents/c" },
      { save: "Documents/d", size: 1 }, { backup: "two" }, { backup: "three" }
      """)
    #expect(moments[0].filter { $0.hasPrefix("in ") }.count == 3)
    #expect(moments[0].contains { $0.hasPrefix("excluded Library/Caches/: ") })
    #expect(
      moments[1] == [
        "in, resized Documents/a: was 1 byte",
        "in Documents/d: neither the item nor a directory above it is marked; created in step 8 "
          + "(line 4)",
        "out Documents/b: missing now",
        "out Documents/c: own mark, set in step 7 (line 3)",
      ])
    #expect(moments[2].isEmpty)
  }

  @Test func `a restore says what is missing, and why`() async throws {
    let moments = try await moments(
      """
      { save: "Library/m", size: 1 }, { exclude: "Library/m" }, { save: "Library/Caches/c", size: 3 },
      { backup: "b" }, { purge: "lowStorage" }, { restore: "b" }
      """)
    #expect(moments[1].contains { $0.hasPrefix("gone Library/Caches/c: taken") })
    #expect(moments[2].contains("gone Library/m: not in the backup: own mark"))
  }
}
