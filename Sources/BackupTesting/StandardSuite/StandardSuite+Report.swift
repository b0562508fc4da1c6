import BackupScenarios
import BackupVerdicts

extension StandardSuite {
  /// What came of each requirement in the standard suite.
  public struct Report: Sendable, CustomStringConvertible {
    /// What came of one requirement.
    public struct Line: Hashable, Sendable {
      /// The requirement's id.
      public let requirement: String
      /// Whether every scenario that shows it passed without a warning, and saved what it is about.
      public let isKept: Bool
      /// The scenarios that show it.
      public let scenarios: [String]
    }

    /// The requirements, sorted by id.
    public let lines: [Line]

    /// Sums up results.
    init(_ results: [ScenarioResult]) {
      var shown: [String: [ScenarioResult]] = [:]
      for result in results {
        for requirement in result.scenario.requirements {
          shown[requirement.value, default: []].append(result)
        }
      }
      self.lines = shown.keys.sorted().map { id in
        let results = shown[id] ?? []
        return Line(
          requirement: id, isKept: results.allSatisfy(\.keepsRequirements),
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

extension ScenarioResult {
  /// Whether it shows that its requirements are kept: it passed, and advice is all there is to say.
  fileprivate var keepsRequirements: Bool {
    verdict == .passed && unclassedSave == nil && problems.allSatisfy { $0.severity == .advice }
  }
}
