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

  @Test func `there are scenarios to look at`() throws {
    #expect(try OwnSuite.scenarios.count > 100)
  }
}
