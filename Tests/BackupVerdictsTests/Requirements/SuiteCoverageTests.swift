import BackupDevice
import BackupScenarios
import BackupVerdicts
import Testing
import TrialSupport

@testable import BackupRules

/// The kit's own scenarios keep and break every requirement. A test fails for each requirement that
/// they do not cover.
struct SuiteCoverageTests {
  @Test(arguments: RequirementCatalogue.all)
  func `each requirement is kept, and broken where an app can break it`(
    _ requirement: Requirement
  ) throws {
    let citing = try OwnSuite.scenarios.filter { scenario in
      scenario.requirements.contains { $0.value == requirement.id }
    }
    let breaking = citing.filter(requirement.isBroken)
    #expect(breaking.count < citing.count, "no scenario keeps \(requirement.id)")
    if requirement.reasonForNoBreach == nil {
      #expect(!breaking.isEmpty, "no scenario breaks \(requirement.id)")
    }
  }

  @Test func `each scenario cites a requirement`() throws {
    let scenariosWithoutRequirement = try OwnSuite.scenarios.filter(\.requirements.isEmpty)
    #expect(scenariosWithoutRequirement.map(\.id).isEmpty)
  }

  @Test(arguments: SystemProfile.all.map(\.version))
  func `each system is run beside others by a scenario`(_ version: SystemVersion) throws {
    let scenarios = try OwnSuite.scenarios.filter { $0.systems.count > 1 }
    #expect(scenarios.contains { $0.systems.contains(version) }, "iOS \(version)")
  }

  @Test func `there are scenarios`() throws {
    #expect(try !OwnSuite.scenarios.isEmpty)
  }
}

extension Requirement {
  /// Whether a scenario that cites the requirement expects a finding that is severe enough to break
  /// it. Without an expected severity, the severity of the rule counts.
  fileprivate func isBroken(by scenario: Scenario) -> Bool {
    guard case .finding(let minimumSeverity) = breach else { return false }
    return scenario.expectations.contains { expectation in
      let rule = RuleList.all.first { $0.name == expectation.rule }
      return (expectation.severity ?? rule?.severity).map { $0 <= minimumSeverity } ?? false
    }
  }
}
