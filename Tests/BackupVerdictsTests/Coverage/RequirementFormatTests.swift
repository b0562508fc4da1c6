import Foundation
import Testing
import TrialSupport

@testable import BackupRules
@testable import BackupScenarios
@testable import BackupVerdicts

struct RequirementFormatTests {
  /// A kept and a broken row among many that are not shown.
  private static let coverage = Result {
    RequirementCoverage(of: [
      try Scenario(
        text: "{ title: 'x', requirements: ['backup.documents'], steps: [] }", id: "keeps-it"),
      try Scenario(
        text: """
          { title: 'x', requirements: ['backup.documents'], steps: [],
            expect: [{ rule: 'user-data-excluded' }] }
          """, id: "breaks-it"),
    ])
  }

  /// A coverage as a format writes it.
  private func written(_ coverage: RequirementCoverage, as name: String) throws -> String {
    try RequirementCoverage.formats.format(named: name).write(coverage)
  }

  @Test func `text has each row with its evidence, sources and scenarios`() throws {
    let text = try written(Self.coverage.get(), as: "text")
    let expected = """
      backup.documents                        documented  eidinger, apple-guidelines-2011
        What lies in Documents is backed up.
        kept by    keeps-it
        broken by  breaks-it
      """
    #expect(text.contains(expected))
    #expect(text.contains("  broken by  nothing here: the system lays the container out\n"))
    #expect(text.contains("  broken by  no scenario\n"))
    let count = RequirementCatalogue.all.count
    #expect(text.hasSuffix("\(count) requirements, 2 scenarios: \(count - 1) not wholly shown\n"))
  }

  @Test func `text is at most 100 columns wide and ends no line with a space`() throws {
    let ids = (100..<200).map { "an-area/a-scenario-\($0)" }
    let coverage = RequirementCoverage(
      of: try ids.map { id in
        try Scenario(
          text: "{ title: 'x', requirements: ['backup.documents'], steps: [] }", id: id)
      })
    let lines = try written(coverage, as: "text").split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 100 && $0.last != " " })
    #expect(lines.joined().contains("an-area/a-scenario-199"))
  }

  @Test func `JSON can be read back and holds every row`() throws {
    let text = try written(Self.coverage.get(), as: "json")
    let table = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(table["format"] as? Int == 1)
    #expect(table["scenarios"] as? Int == 2)
    let rows = try #require(table["requirements"] as? [[String: Any]])
    #expect(rows.compactMap { $0["id"] as? String } == RequirementCatalogue.all.map(\.id))
    let row = try #require(rows.first { $0["id"] as? String == "backup.documents" })
    #expect(row["keptBy"] as? [String] == ["keeps-it"])
    #expect(row["brokenBy"] as? [String] == ["breaks-it"])
    #expect(row["sources"] as? [String] == ["eidinger", "apple-guidelines-2011"])
    #expect(row["evidence"] as? String == "documented")
    #expect(row["gaps"] as? [String] == [])
    #expect(row["notBrokenBecause"] == nil)
    #expect(rows.first?["notBrokenBecause"] as? String == "the system lays the container out")
  }

  @Test func `Markdown is one table with a line for each row`() throws {
    let text = try written(Self.coverage.get(), as: "markdown")
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("|") }
    #expect(lines.count == RequirementCatalogue.all.count + 2)
    #expect(lines.allSatisfy { $0.count { $0 == "|" } == 7 && $0.hasSuffix("|") })
    let row = lines.first { $0.hasPrefix("| `backup.documents` ") }
    #expect(row?.hasSuffix("| `keeps-it` | `breaks-it` |") == true)
    #expect(row?.contains("[eidinger](https://blog.eidinger.info/") == true)
  }

  @Test func `Markdown keeps the cells of a scenario with an odd name`() throws {
    let coverage = RequirementCoverage(of: [
      try Scenario(
        text: "{ title: 'x', requirements: ['backup.documents'], steps: [] }", id: "a|b")
    ])
    #expect(try written(coverage, as: "markdown").contains("| `a\\|b` |"))
  }

  @Test func `every format has a name of its own`() {
    #expect(RequirementCoverage.formats.names == ["text", "json", "markdown"])
  }

  @Test func `the summary of a whole suite says that all is shown`() throws {
    let coverage = RequirementCoverage(of: try OwnSuite.scenarios)
    #expect(coverage.gaps.isEmpty)
    #expect(coverage.summary.hasSuffix("each is kept, and broken where an app can break it"))
  }
}
