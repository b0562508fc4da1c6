import BackupScenarios
import BackupVerdicts
import TestSupport
import Testing

/// The kit's own scenarios show every requirement: this is what fails while a row is uncovered.
struct SuiteCoverageTests {
  /// The scenarios of this repository; reading them refuses a citation that is not in the catalogue.
  static let scenarios = Result { try ScenarioFolder(path: Checkout.scenarioFolder).scenarios() }

  @Test(arguments: RequirementCatalogue.all)
  func `each row is kept, and broken where an app can break it`(
    _ requirement: Scenario.Requirement
  ) throws {
    let coverage = RequirementCoverage(of: try Self.scenarios.get())
    let row = try #require(coverage.rows.first { $0.requirement == requirement })
    #expect(row.gaps.isEmpty)
  }

  @Test func `each scenario cites a requirement`() throws {
    let silent = try Self.scenarios.get().filter(\.requirements.isEmpty)
    #expect(silent.map(\.id).isEmpty)
  }

  @Test func `there are scenarios to look at`() throws {
    #expect(try Self.scenarios.get().count > 100)
  }
}
