import BackupDevice
import BackupScenarios
import BackupVerdicts
import Testing
import TrialSupport

/// The kit's own scenarios show every requirement: this is what fails while a row is uncovered.
struct SuiteCoverageTests {
  @Test(arguments: RequirementCatalogue.all)
  func `each row is kept, and broken where an app can break it`(
    _ requirement: Scenario.Requirement
  ) throws {
    let coverage = RequirementCoverage(of: try OwnSuite.scenarios)
    let row = try #require(coverage.rows.first { $0.requirement == requirement })
    #expect(row.gaps.isEmpty)
  }

  @Test func `each scenario cites a requirement`() throws {
    let silent = try OwnSuite.scenarios.filter(\.requirements.isEmpty)
    #expect(silent.map(\.id).isEmpty)
  }

  @Test(arguments: SystemProfile.all.map(\.version))
  func `each system is run beside others by a scenario`(_ version: SystemVersion) throws {
    let scenarios = try OwnSuite.scenarios.filter { $0.systems.count > 1 }
    #expect(scenarios.contains { $0.systems.contains(version) }, "iOS \(version)")
  }

  @Test func `there are scenarios to look at`() throws {
    #expect(try !OwnSuite.scenarios.isEmpty)
  }
}
