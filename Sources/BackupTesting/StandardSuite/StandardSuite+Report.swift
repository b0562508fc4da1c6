import BackupScenarios
import BackupVerdicts

extension StandardSuite {
  /// What came of each requirement in the standard suite.
  public struct Report: Sendable, CustomStringConvertible {
    /// What came of one requirement.
    public struct Line: Hashable, Sendable {
      /// The requirement's id, such as `mark.reapply-on-save`.
      public let requirement: String
      /// Whether every scenario that shows it ran to its end, saved what it is about, and had no
      /// error or warning that is about this requirement.
      public let isKept: Bool
      /// The scenarios that show it.
      public let scenarios: [String]
    }

    /// The requirements, sorted by id.
    public let lines: [Line]

    init(_ results: [ScenarioResult]) {
      var shown: [String: [ScenarioResult]] = [:]
      for result in results {
        for requirement in result.scenario.requirements {
          shown[requirement.value, default: []].append(result)
        }
      }
      let broken = Set(results.flatMap(\.brokenRequirements))
      self.lines = shown.keys.sorted().map { id in
        let results = shown[id] ?? []
        return Line(
          requirement: id, isKept: !broken.contains(id),
          scenarios: results.map(\.scenario.id))
      }
    }

    /// A line for each requirement.
    public var description: String {
      lines.map { line in
        "\(line.isKept ? "kept  " : "broken") \(line.requirement)  "
          + "(\(line.scenarios.joined(separator: ", ")))\n"
      }.joined()
    }
  }
}
