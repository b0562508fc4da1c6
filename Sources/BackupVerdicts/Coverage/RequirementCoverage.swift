import BackupDiagnostics
import BackupRules
package import BackupScenarios

/// Which scenarios show each requirement: those that keep it and those that break it.
///
/// A scenario breaks the requirements it cites when it expects a finding of severity error or
/// warning, by its rule's usual severity, and keeps them otherwise. Advice counts only for a
/// requirement that nothing worse can come of, which its `Scenario.Requirement.breach` says.
package struct RequirementCoverage: Sendable {
  /// A requirement with the scenarios that cite it.
  package struct Row: Sendable {
    /// The requirement that the scenarios cite.
    package let requirement: Scenario.Requirement
    /// The ids of the scenarios that keep it, sorted.
    package let keeping: [String]
    /// The ids of the scenarios that break it, sorted.
    package let breaking: [String]
  }

  /// The formats of `requirements --format`.
  package static let formats = FormatList<RequirementCoverage>(.text, .json, .markdown)

  /// A row for each requirement, in the order of the catalogue.
  package let rows: [Row]
  /// How many scenarios were looked at.
  package let scenarioCount: Int

  /// The coverage that scenarios give.
  ///
  /// - Parameter scenarios: Scenarios that were read; they are not run.
  package init(of scenarios: [Scenario]) {
    let citations = scenarios.flatMap { scenario in
      scenario.requirements.map { (id: $0.value, scenario: scenario) }
    }
    let citing = Dictionary(grouping: citations, by: \.id).mapValues { $0.map(\.scenario) }
    scenarioCount = scenarios.count
    rows = RequirementCatalogue.all.map { Row($0, citing[$0.id] ?? []) }
  }

  /// A sentence for each thing that is not shown: `mark.can-be-cleared: no scenario keeps it`.
  package var gaps: [String] { rows.flatMap(\.gaps) }

  /// How many requirements and scenarios there are, and what is not shown, in a line.
  var summary: String {
    let uncovered = rows.count { !$0.gaps.isEmpty }
    let state =
      uncovered == 0
      ? "each is kept, and broken where an app can break it" : "\(uncovered) not wholly shown"
    return "\(rows.count) requirements, \(scenarioCount.counted("scenario")): \(state)"
  }
}

extension RequirementCoverage.Row {
  /// A row from the scenarios that cite its requirement.
  fileprivate init(_ requirement: Scenario.Requirement, _ scenarios: [Scenario]) {
    self.requirement = requirement
    breaking = scenarios.filter { $0.breaks(requirement) }.map(\.id).sorted()
    keeping = scenarios.filter { !$0.breaks(requirement) }.map(\.id).sorted()
  }

  /// What no scenario shows of it.
  package var gaps: [String] {
    var gaps: [String] = []
    if keeping.isEmpty { gaps.append("\(requirement.id): no scenario keeps it") }
    if breaking.isEmpty, requirement.breach.reasonForNone == nil {
      gaps.append("\(requirement.id): no scenario breaks it")
    }
    return gaps
  }
}

extension Scenario {
  /// Whether it expects a finding that says this requirement is broken.
  fileprivate func breaks(_ requirement: Requirement) -> Bool {
    expectations.contains { expectation in
      let severity = expectation.severity ?? RuleList.severity(of: expectation.rule)
      return severity.map(requirement.breach.counts) ?? false
    }
  }
}

extension RuleList {
  /// How bad the findings of a rule usually are; nil for a name that no rule has.
  fileprivate static func severity(of rule: String) -> Scenario.Severity? {
    all.first { $0.name == rule }?.severity
  }
}
