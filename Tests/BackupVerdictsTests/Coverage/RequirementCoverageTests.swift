import BackupScenarios
import BackupVerdicts
import Testing

@testable import BackupRules

struct RequirementCoverageTests {
  @Test func `a scenario that expects nothing keeps what it cites`() throws {
    let row = try row("mark.can-be-cleared", [scenario("a", cites: "mark.can-be-cleared")])
    #expect(row.keeping == ["a"])
    #expect(row.breaking.isEmpty)
    #expect(row.gaps == ["mark.can-be-cleared: no scenario breaks it"])
  }

  @Test(arguments: ["reapply-on-save", "temporary-left-behind"])
  func `a scenario that expects an error or a warning breaks what it cites`(
    _ rule: String
  ) throws {
    let row = try row(
      "mark.can-be-cleared", [scenario("a", cites: "mark.can-be-cleared", expects: rule)])
    #expect(row.keeping.isEmpty)
    #expect(row.breaking == ["a"])
    #expect(row.gaps == ["mark.can-be-cleared: no scenario keeps it"])
  }

  @Test func `advice breaks only the row that nothing worse can come of`() throws {
    let named = "mark.directory-named-for-bundle"
    let scenarios = try [
      scenario("plain", cites: named, "mark.group-by-directory", expects: "directory-name")
    ]
    #expect(try row(named, scenarios).breaking == ["plain"])
    #expect(try row("mark.group-by-directory", scenarios).keeping == ["plain"])
    #expect(try row("mark.group-by-directory", scenarios).breaking.isEmpty)
  }

  @Test func `a finding breaks by the severity that is expected, where one is`() throws {
    let text = """
      {
        title: 'x', requirements: ['mark.group-by-directory'], steps: [],
        expect: [{ rule: 'incomplete-group', severity: 'advice' }],
      }
      """
    let scenarios = [try Scenario(text: text, id: "a")]
    #expect(try row("mark.group-by-directory", scenarios).keeping == ["a"])
  }

  @Test func `one finding among advice is enough to break`() throws {
    let scenarios = try [
      scenario(
        "a", cites: "mark.group-by-directory", expects: "directory-name", "incomplete-group")
    ]
    #expect(try row("mark.group-by-directory", scenarios).breaking == ["a"])
  }

  @Test func `a row that no app can break is only ever kept`() throws {
    let scenarios = try [scenario("a", cites: "purge.documents-kept", expects: "exists-before-use")]
    let row = try row("purge.documents-kept", scenarios)
    #expect(row.keeping == ["a"])
    #expect(row.gaps.isEmpty)
  }

  @Test func `ids are sorted, whatever the order of the scenarios`() throws {
    let ids = ["z", "b/2", "b/10", "a"]
    let scenarios = try ids.map { try scenario($0, cites: "backup.documents") }
    #expect(try row("backup.documents", scenarios).keeping == ids.sorted())
  }

  @Test func `a scenario that cites nothing is counted and shows nothing`() throws {
    let coverage = RequirementCoverage(of: [try Scenario(text: "{ title: 'x', steps: [] }")])
    #expect(coverage.scenarioCount == 1)
    #expect(coverage.rows.allSatisfy { $0.keeping.isEmpty && $0.breaking.isEmpty })
  }

  @Test func `without scenarios each row is there with what is not shown`() {
    let coverage = RequirementCoverage(of: [])
    let breakable = RequirementCatalogue.all.count { $0.breach.reasonForNone == nil }
    #expect(coverage.rows.map(\.requirement) == RequirementCatalogue.all)
    #expect(coverage.gaps.count == RequirementCatalogue.all.count + breakable)
  }

  /// The row of a requirement over scenarios.
  private func row(_ id: String, _ scenarios: [Scenario]) throws -> RequirementCoverage.Row {
    let rows = RequirementCoverage(of: scenarios).rows
    return try #require(rows.first { $0.requirement.id == id })
  }

  /// A scenario that cites requirements and expects findings, and does nothing.
  private func scenario(
    _ id: String, cites ids: String..., expects rules: String...
  ) throws -> Scenario {
    let expectations = rules.map { "{ rule: '\($0)' }" }.joined(separator: ", ")
    let text = "{ title: 'x', requirements: \(ids), steps: [], expect: [\(expectations)] }"
    return try Scenario(text: text, id: id)
  }
}
