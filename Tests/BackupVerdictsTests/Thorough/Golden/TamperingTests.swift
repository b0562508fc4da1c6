import TestSupport
import Testing
import TrialSupport

@testable import BackupDiagnostics
@testable import BackupScenarios
@testable import BackupVerdicts

@Suite struct `A golden file that was changed by hand` {
  private static let steps =
    markedMovie + [
      "{ save: 'Documents/a  1', size: 10 }", "{ backup: 'first' }",
      "{ save: 'Library/Caches/c', size: 5 }", "{ purge: 'lowStorage' }",
      "{ save: '\(support)/Movies/1.mp4', size: 8 }", "{ backup: 'second' }",
    ]
  private static let expectation = "expect: [{ rule: 'reapply-on-save', step: 8 }]"

  /// Records a golden file, changes its lines, and runs the scenario again. Returns the result and
  /// its only problem.
  private func result(
    _ other: String = expectation, _ change: ([String]) -> [String]
  ) async throws -> (result: ScenarioResult, problem: Scenario.Problem) {
    let folder = try TestFolder()
    let store = GoldenStore(folder: folder.path)
    let scenario = try Trial.scenario(Self.steps, other)
    #expect(try await Trial.result(scenario, goldens: store).verdict == .recorded)
    let lines = try folder.text(of: "trial.golden").split(separator: "\n").map(String.init)
    try folder.write(change(lines).map { "\($0)\n" }.joined(), to: "trial.golden")
    let result = try await Trial.result(scenario, .never, goldens: store)
    #expect(result.verdict == .failed && result.problems.count == 1)
    return (result, try #require(result.problems.first))
  }

  /// Returns a function that replaces the last line with a given start.
  private func changing(_ start: String, to text: String?) -> ([String]) -> [String] {
    { lines in
      var lines = lines
      guard let index = lines.lastIndex(where: { $0.hasPrefix(start) }) else { return lines }
      lines.replaceSubrange(index...index, with: text.map { [$0] } ?? [])
      return lines
    }
  }

  @Test(
    arguments: [
      ("  out  \(support)/Movies/1.mp4", "  out  \(support)/Movies/1.mp4  (location)", 5),
      ("  out  \(support)/Movies/1.mp4", nil, 5),
      ("backup \"first\"", "backup \"first\": 2 files, 10 bytes", 5),
      ("backup \"first\"", nil, 5),
      ("backup \"first\"", "backup \"other\": 1 file, 10 bytes", 5),
      ("  purged  Library/Caches/c", "  purged  Library/Caches/c  6 bytes", 7),
      ("  purged  Library/Caches/c", nil, 7),
      ("  in   \(support)/Movies/1.mp4", "  out  \(support)/Movies/1.mp4  (own mark)", 9),
      ("  in   \(support)/Movies/1.mp4", nil, 9),
      ("  out  tmp", "  out  tmp/  (location) ", 9),
      ("  out  tmp", "  out  tmp/  (location)\n  in   zzz  1 byte", 9),
      ("system", "system iOS 18, iCloud", 1),
    ] as [(String, String?, Int)])
  func `is reported at the step's line`(start: String, text: String?, step: Int) async throws {
    let problem = try await result { changing(start, to: text)($0) }.problem
    #expect(problem.kind == .golden && problem.isFailure)
    #expect(problem.position == SourcePosition(line: step + 1, column: 1))
  }

  @Test func `is reported if lines changed places`() async throws {
    let problem = try await result { lines in
      var lines = lines
      lines.swapAt(3, 4)
      return lines
    }.problem
    #expect(problem.position.line == 6)
  }

  @Test func `is reported with the reasons of the lines`() async throws {
    let details = try await result {
      changing("  in   \(support)/Movies/1.mp4", to: nil)($0)
    }.problem.details
    #expect(
      details.contains(
        "why: step 9: \(support)/Movies/1.mp4 is included: its mark was lost in step 8 (line 9), "
          + "save \(support)/Movies/1.mp4"))
    #expect(details.first == "golden    now     - only in the golden file, + only in this run")
    let marked = try await result {
      changing("  out  \(support)/Movies/1.mp4", to: nil)($0)
    }.problem.details
    #expect(
      marked.contains(
        "why: step 5: \(support)/Movies/1.mp4 is excluded: own mark, set in step 3 (line 4)"))
  }

  @Test func `is reported with the reason of a directory that replaced another one`() async throws {
    let details = try await result {
      changing("  in   Library/Preferences/", to: "  in   Library/Other/")($0)
    }.problem.details
    #expect(details.contains { $0.hasPrefix("why: step 9: Library/Preferences is included: ") })
  }

  @Test func `is reported with the reason of a name with spaces`() async throws {
    let details = try await result { changing("  in   Documents/a  1  10 bytes", to: nil)($0) }
      .problem
      .details
    #expect(
      details.contains(
        "why: step 9: Documents/a  1 is included: neither the item nor a directory above it is "
          + "marked; created in step 4 (line 5)"))
  }

  @Test func `is reported with the reason from the run that the line belongs to`() async throws {
    let details = try await result("system: ['6', '26'], \(Self.expectation)") { lines in
      let last = lines.lastIndex { $0.hasPrefix("  out  \(support)/Movies/1.mp4") }
      return lines.indices.filter { $0 != last }.map { lines[$0] }
    }.problem.details
    #expect(details.count { $0.hasPrefix("why: ") } == 1)
  }
}
