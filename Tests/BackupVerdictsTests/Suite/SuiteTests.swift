import BackupDevice
import TestSupport
import Testing
import TrialSupport

@testable import BackupRules
@testable import BackupScenarios
@testable import BackupVerdicts

@Suite struct `A suite` {
  @Test func `gives results in the order of the scenarios`() async throws {
    let folder = try TestFolder()
    let ids = (0..<12).map { "s\($0)" }
    let scenarios = try ids.map { try Trial.scenario(["{ save: 'Documents/a', size: 1 }"], id: $0) }
    let suite = ScenarioSuite(goldens: GoldenStore(folder: folder.path), recordMode: .missing)
    #expect(await suite.run(scenarios).map(\.scenario.id) == ids)
    #expect(try folder.names() == ids.map { "\($0).golden" }.sorted())
    #expect(await suite.run([]).isEmpty)
  }

  @Test func `leaves out scenarios that run on none of its systems`() async throws {
    var suite = ScenarioSuite(goldens: GoldenStore(folder: "/nowhere"), recordMode: .never)
    suite.selectedSystems = [try #require(SystemVersion("9"))]
    let scenarios = try [
      Trial.scenario(["{ backup: 'a' }"], id: "new"),
      Trial.scenario(["{ backup: 'a' }"], id: "old", "system: ['9', '18']"),
    ]
    let results = await suite.run(scenarios)
    #expect(results.map(\.scenario.id) == ["old"])
    #expect(results.first?.runs.map(\.variant.description) == ["iOS 9, iCloud"])
  }

  @Test func `checks only the rules in its list`() async throws {
    var suite = ScenarioSuite(goldens: GoldenStore(folder: "/nowhere"), recordMode: .never)
    suite.rules.removeAll { $0.name == "exists-before-set" }
    let result = await suite.run(try Trial.scenario(["{ exclude: 'tmp/a' }"]))
    #expect(result?.runs.first?.findings.isEmpty == true)
  }

  @Test func `lets iOS ignore marks in every scenario if 'ignoresGuidance' is set`() async throws {
    var suite = ScenarioSuite(goldens: GoldenStore(folder: "/nowhere"), recordMode: .never)
    suite.ignoresGuidance = true
    let check = "{ expectBackup: { contains: ['\(support)/Movies/1.mp4'] } }"
    let result = await suite.run(try Trial.scenario(markedMovie + ["{ backup: 'a' }", check]))
    #expect(result?.runs.first?.hasBrokenOff == false)
  }
}
