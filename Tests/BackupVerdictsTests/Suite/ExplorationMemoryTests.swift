import Foundation
import TestSupport
import Testing

@testable import BackupRules
@testable import BackupScenarios
@testable import BackupVerdicts

/// Scenarios that were explored without a problem are explored last the next time.
@Suite struct ExplorationMemoryTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// Writes a scenario and its `app.json5` to the folder, and reads the scenario.
  private func scenario(_ keys: String = "", appFile: String = "{ files: {} }") throws -> Scenario {
    try folder.write("{ title: 'A', \(keys) steps: [{ backup: 'a' }] }", to: "Scenarios/a.json5")
    try folder.write(appFile, to: "Scenarios/app.json5")
    return try Scenario(contentsOf: "\(folder.path)/Scenarios/a.json5", id: "a")
  }

  /// The memory that the next process reads.
  private var memory: ExplorationMemory { ExplorationMemory(in: folder.url) }

  @Test func `a scenario is unchanged if it is the same as in its exploration without a problem`()
    throws
  {
    let scenario = try scenario()
    #expect(!memory.isUnchanged(scenario, outcome: "1"))
    memory.record(scenario, outcome: "1", foundNoProblem: true)
    #expect(memory.isUnchanged(scenario, outcome: "1"))
    #expect(!memory.isUnchanged(scenario, outcome: "2"))
    #expect(try !memory.isUnchanged(self.scenario("budget: 5,"), outcome: "1"))
    let shared = try self.scenario(appFile: "{ files: { '**': 'cached' } }")
    #expect(!memory.isUnchanged(shared, outcome: "1"))
    memory.record(scenario, outcome: "1", foundNoProblem: false)
    #expect(!memory.isUnchanged(scenario, outcome: "1"))
  }

  @Test(arguments: ["", "[", "[1]", "{\"a\": 1}", "\u{0}"])
  func `a damaged file is ignored, and replaced`(text: String) throws {
    let name = "backup-testing-explored-by-tests.json"
    try folder.write(text, to: name)
    let scenario = try scenario()
    #expect(!memory.isUnchanged(scenario, outcome: "1"))
    memory.record(scenario, outcome: "1", foundNoProblem: true)
    #expect(memory.isUnchanged(scenario, outcome: "1"))
  }

  @Test func `a link or a pipe in its place is left alone`() throws {
    let place = "\(folder.path)/backup-testing-explored-by-tests.json"
    let scenario = try scenario()
    try folder.write("mine", to: "other")
    try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: "other")
    memory.record(scenario, outcome: "1", foundNoProblem: true)
    #expect(try String(contentsOfFile: "\(folder.path)/other", encoding: .utf8) == "mine")
    try FileManager.default.removeItem(atPath: place)
    try #require(mkfifo(place, 0o600) == 0)
    memory.record(scenario, outcome: "1", foundNoProblem: true)
    #expect(!memory.isUnchanged(scenario, outcome: "1"))
  }

  @Test func `a folder that cannot be written to is no error`() throws {
    let scenario = try scenario()
    for folder in [nil, URL(fileURLWithPath: "/dev/null/none")] {
      let memory = ExplorationMemory(in: folder)
      memory.record(scenario, outcome: "1", foundNoProblem: true)
      #expect(memory.isUnchanged(scenario, outcome: "1"), "in the same process")
    }
  }
}
