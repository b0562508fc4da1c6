import BackupDevice
import BackupDiagnostics
import Foundation
import TestSupport
import Testing
import TrialSupport

@testable import BackupReports
@testable import BackupScenarios
@testable import BackupVerdicts

@Suite struct `A golden text that differs` {
  let folder: TestFolder
  let store: GoldenStore

  static let new = "trial.golden.new"

  init() throws {
    folder = try TestFolder()
    store = GoldenStore(folder: folder.path)
  }

  /// Runs a scenario that saves a file of this size.
  @discardableResult
  func run(
    size: Int, _ mode: RecordMode = .missing, _ steps: [String] = [], _ other: String = "",
    systems: Set<SystemVersion>? = nil, leaves: Bool = true, in named: GoldenStore? = nil
  ) async throws -> ScenarioResult {
    var suite = ScenarioSuite(goldens: named ?? store, recordMode: mode)
    suite.leavesNewTextsForReview = leaves
    suite.selectedSystems = systems
    let saves = ["{ save: 'Documents/a', size: \(size) }", "{ backup: 'b' }"]
    return try #require(await suite.run(try Trial.scenario(saves + steps, other)))
  }

  @Test func `is left with the facts that a review needs, and the failure names the commands`()
    async throws
  {
    try await run(size: 1)
    let former = try folder.text(of: "trial.golden")
    let result = try await run(size: 2)
    #expect(result.verdict == .failed)
    #expect(
      result.problems.first?.details.suffix(2) == [
        "do: if this is intended, run: \(store.command("accept", "trial"))",
        "do: to review all changes, run: \(store.command("review"))",
      ])
    let lines = try folder.text(of: Self.new).split(separator: "\n")
    let end = try #require(lines.firstIndex(of: "# golden 2: trial"))
    #expect(lines[0] == "# new golden 2: trial")
    #expect(lines[2] == "# scenario scenario.json5")
    #expect(
      lines[3..<end] == [
        "# why: step 2: Documents/a has had this size since step 1 (line 2), save Documents/a"
      ])
    #expect(lines[end...].map { "\($0)\n" }.joined() == result.actualGolden)
    #expect(try folder.text(of: "trial.golden") == former)
    #expect(try store.orphans(notOwnedBy: ["trial"]) == [])
  }

  @Test func `is not left on CI, where the failure says how to record`() async throws {
    try await run(size: 1)
    let result = try await run(size: 2, leaves: false)
    #expect(try folder.names() == ["trial.golden"])
    #expect(
      result.problems.first?.details.last
        == "do: if this is intended, run it again where CI is not set, and accept the change with "
        + "'backup-testing review'; or record it with --record failed scenario.json5")
  }

  @Test func `is removed by a run that matches the golden file or records it`() async throws {
    try await run(size: 1)
    for (size, mode) in [(1, RecordMode.missing), (2, .failed)] {
      try await run(size: 3)
      #expect(folder.exists(Self.new))
      try await run(size: size, mode)
      #expect(!folder.exists(Self.new))
    }
  }

  @Test func `is accepted as it is`() async throws {
    try await run(size: 1)
    let text = try await run(size: 2).actualGolden
    #expect(try store.pendingIDs() == ["trial"])
    try store.accept(try store.readPending("trial"))
    #expect(try folder.names() == ["trial.golden"])
    #expect(try folder.text(of: "trial.golden") == text)
    #expect(try await run(size: 2).verdict == .passed)
  }

  @Test func `is rejected without a change of the golden file`() async throws {
    try await run(size: 1)
    let former = try folder.text(of: "trial.golden")
    try await run(size: 2)
    try store.reject("trial")
    #expect(try folder.names() == ["trial.golden"])
    #expect(try folder.text(of: "trial.golden") == former)
    let error = try #require(throws: RunError.self) { try store.reject("trial") }
    #expect(error.description.hasPrefix("'trial' has no change to review in \(folder.path); "))
  }
}
