import BackupDevice
import BackupScenarios

extension OutputFormat<RequirementCoverage> {
  /// For programs: one requirement after the other.
  static var json: OutputFormat { json { RequirementTable($0) } }
}

/// The table as it is encoded.
private struct RequirementTable: Encodable {
  /// The version of this format.
  var format = 1
  /// A row for each requirement, in the order of the catalogue.
  let requirements: [Row]
  /// How many scenarios were looked at.
  let scenarios: Int

  /// The table of a coverage.
  init(_ coverage: RequirementCoverage) {
    requirements = coverage.rows.map(Row.init)
    scenarios = coverage.scenarioCount
  }

  /// A requirement with its scenarios.
  struct Row: Encodable {
    /// Its stable name, by which scenarios cite it.
    let id: String
    /// What holds for an app's files.
    let statement: String
    /// How sure it is.
    let evidence: String
    /// The keys of its sources.
    let sources: [String]
    /// The ids of the scenarios that keep it.
    let keptBy: [String]
    /// The ids of those that break it.
    let brokenBy: [String]
    /// Why no scenario file breaks it; absent where one can.
    let notBrokenBecause: String?
    /// What no scenario shows of it.
    let gaps: [String]

    /// A requirement with the scenarios that cite it.
    init(_ row: RequirementCoverage.Row) {
      id = row.requirement.id
      statement = row.requirement.statement
      evidence = row.requirement.evidence.rawValue
      sources = row.requirement.sources.map(\.rawValue)
      keptBy = row.keeping
      brokenBy = row.breaking
      notBrokenBecause = row.requirement.breach.reasonForNone
      gaps = row.gaps
    }
  }
}
