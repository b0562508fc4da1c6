import BackupFileTree
import BackupRules
import BackupScenarios

/// The findings that a run's scenario expects and that have not come, ready to be asked for by one
/// that comes.
struct OpenExpectations {
  /// What an expectation says of a finding; nil for what it leaves open.
  private struct Key: Hashable {
    /// The rule's name.
    let rule: String
    /// How bad the finding is.
    let severity: Scenario.Severity?
    /// The step that causes it.
    let step: Scenario.StepReference.Number?
    /// The item, which a finding of the whole has none of.
    let path: ContainerPath?

    /// How many things it leaves open.
    var freedom: Int {
      (step == nil ? 1 : 0) + (path == nil ? 1 : 0) + (severity == nil ? 1 : 0)
    }
  }

  /// All expectations; nil for those that a finding met.
  private var expectations: [Scenario.Expectation?]
  /// The indices of the open ones, the last first, by what they say.
  private var indices: [Key: [Int]]

  /// Expectations of which none is met.
  ///
  /// - Parameter expectations: In the order of the file.
  init(_ expectations: [Scenario.Expectation]) {
    self.expectations = expectations
    self.indices = Dictionary(grouping: expectations.indices.reversed()) { index in
      let one = expectations[index]
      return Key(rule: one.rule, severity: one.severity, step: one.step, path: one.path)
    }
  }

  /// Those that no finding met, in the order of the file.
  var rest: [Scenario.Expectation] { expectations.compactMap(\.self) }

  /// Takes the expectation that says the most of those that a finding is; the first of several.
  ///
  /// So that one for any step leaves a finding to another that names its step.
  ///
  /// - Parameter finding: What came.
  /// - Returns: Whether it was expected.
  mutating func meet(_ finding: Scenario.Finding) -> Bool {
    let found = Self.keys(of: finding).compactMap { key in
      indices[key]?.last.map { (key: key, index: $0) }
    }
    let closest = found.min { ($0.key.freedom, $0.index) < ($1.key.freedom, $1.index) }
    guard let closest else { return false }
    indices[closest.key]?.removeLast()
    expectations[closest.index] = nil
    return true
  }

  /// All that expectations of a finding may say.
  private static func keys(of finding: Scenario.Finding) -> [Key] {
    [finding.severity, nil].flatMap { severity in
      [finding.step.number, nil].flatMap { step in
        [finding.path, nil].map { path in
          Key(rule: finding.rule, severity: severity, step: step, path: path)
        }
      }
    }
  }
}
