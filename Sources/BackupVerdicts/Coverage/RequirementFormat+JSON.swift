import BackupDevice
import BackupScenarios
import Foundation

extension RequirementFormat {
  /// For programs: keys in alphabetical order, one requirement after the other.
  static let json = RequirementFormat("json") { coverage in
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let table = RequirementTable(
      requirements: coverage.rows.map(RequirementTable.Row.init), scenarios: coverage.scenarioCount)
    // Strings, numbers and lists of them: there is nothing that cannot be encoded.
    let data = (try? encoder.encode(table)) ?? Data()
    return String(decoding: data, as: UTF8.self) + "\n"
  }
}

/// The table as it is encoded.
private struct RequirementTable: Encodable {
  /// The version of this format.
  var format = 1
  /// The requirements.
  let requirements: [Row]
  /// How many scenarios were looked at.
  let scenarios: Int

  /// A requirement.
  struct Row: Encodable {
    /// Its id.
    let id: String
    /// What holds.
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
