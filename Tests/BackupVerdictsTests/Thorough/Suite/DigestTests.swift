import BackupRules
import BackupScenarios
import TestSupport
import Testing
import TrialSupport

@testable import BackupVerdicts

/// The digest lists the causes that several failed scenarios share.
@Suite struct DigestTests {
  private func report(_ name: String, _ size: Int = 1) async throws -> ScenarioReport {
    let scenario = try Scenario(
      text: """
        {
          title: "T", files: { "Library/Movies/**": "offline" },
          steps: [
            { createDirectory: "Library/Movies" }, { save: "Library/Movies/\(name).mp4", size: \(size) },
            { backup: "b" },
          ],
        }
        """, id: name, file: "\(name).json5")
    return ScenarioReport(try await Trial.result(scenario, .never), withRuns: false)
  }

  @Test func `findings by one rule on the files of a folder have one cause`() async throws {
    var reports: [ScenarioReport] = []
    for name in ["a", "b", "c", "d", "e"] { reports.append(try await report(name)) }
    let cause = try #require(reports.causes.first)
    #expect(reports.causes.map(\.scenarios.count) == [5, 5])
    #expect(reports.causes.last?.sentence == "there is no golden file")
    #expect(cause.sentence == "recreatable-data-backed-up: save 'Library/Movies/*.mp4'")
    #expect(cause.scenarios.map(\.id) == ["a", "b", "c", "d", "e"])
    #expect(
      reports.sharedCauses == """
        2 shared causes in 5 scenarios:
          recreatable-data-backed-up: save 'Library/Movies/*.mp4'
            \(cause.details[0])
            \(cause.details[1])
            in 5 scenarios: a, b, c and 2 more
          there is no golden file
            in 5 scenarios: a, b, c and 2 more

        """)
  }

  @Test func `one scenario has no shared causes`() async throws {
    #expect(try await [report("a")].sharedCauses.isEmpty)
  }

  @Test func `equal changes of golden files are one cause, unless a finding fails`() async throws {
    let folder = try TestFolder()
    let goldens = GoldenStore(folder: folder.path)
    var reports: [ScenarioReport] = []
    for name in ["a", "b"] {
      for (size, mode) in [(1, RecordMode.missing), (2, .never)] {
        let scenario = try Scenario(
          text: """
            { title: "T", steps: [{ save: "Documents/x", size: \(size) }, { backup: "b" }] }
            """, id: name, file: "\(name).json5")
        let result = try await Trial.result(scenario, mode, goldens: goldens)
        if mode == .never { reports.append(ScenarioReport(result, withRuns: false)) }
      }
    }
    #expect(
      reports.map { $0.goldenChanges?.contains("-   in   Documents/x  1 byte") } == [true, true])
    #expect(
      reports.map { $0.goldenChanges?.contains("+   in   Documents/x  2 bytes") } == [true, true])
    #expect(reports.causes.map { $0.scenarios.map(\.id) } == [["a", "b"]])
    #expect(
      reports.sharedCauses.contains(
        "  the outcome (+) differs from the golden file (-)\n    - in  Documents/x\n"))
    #expect(try await report("c").goldenChanges == nil)
  }
}
