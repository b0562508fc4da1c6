public import BackupScenarios

/// What came of one scenario, under all its systems and backup kinds.
public struct ScenarioResult: Sendable {
  /// How a scenario ended under all its systems and backup kinds.
  @nonexhaustive
  public enum Verdict: String, Hashable, Sendable {
    /// All came as expected, and as the golden file has it.
    case passed
    /// A difference, or a finding that was not expected or did not come.
    case failed
    /// A golden file was written; the next run can pass.
    case recorded
    /// It could not be run to its end.
    case error
    /// It was not run: it performs an action, and the command line runs no app code.
    case skipped
  }

  /// The scenario that was run, under each of its systems.
  public let scenario: Scenario
  /// Its runs, in the order of its variants; none of one that was skipped.
  public let runs: [Run]
  /// How the runs compare with the golden file.
  let golden: GoldenOutcome
  /// The text of the golden file before the run; nil where there was none.
  package let expectedGolden: String?
  /// Whether unexpected warnings and advice fail it too.
  let isStrict: Bool
  /// Whether it came of a test, where there is no command to give an option to.
  let isInTest: Bool
  /// The step for which it was skipped; nil where it ran.
  let skippedStep: Scenario.StepReference?
  /// Everything the reader must know, in the order of the file.
  public private(set) var problems: [Scenario.Problem] = []

  init(
    scenario: Scenario, runs: [Run], golden: GoldenOutcome, expectedGolden: String?,
    isStrict: Bool, isInTest: Bool = false, skippedStep: Scenario.StepReference? = nil
  ) {
    self.scenario = scenario
    self.runs = runs
    self.golden = golden
    self.expectedGolden = expectedGolden
    self.isStrict = isStrict
    self.isInTest = isInTest
    self.skippedStep = skippedStep
    self.problems = foundProblems
  }

  /// The text that a golden file of these runs would have.
  package var actualGolden: String {
    scenario.goldenText(of: runs.compactMap(\.transcript))
  }

  /// How it ended, the worst of its runs and its golden file.
  public var verdict: Verdict {
    if runs.contains(where: { $0.hasBrokenOff }) { return .error }
    if case .unusable = golden { return .error }
    if problems.contains(where: { $0.isFailure && $0.kind != .recorded }) { return .failed }
    if case .recorded = golden { return .recorded }
    return skippedStep == nil ? .passed : .skipped
  }
}

extension ScenarioResult {
  /// How a scenario's runs compare with its golden file.
  enum GoldenOutcome: Sendable {
    case matches
    /// There is no golden file at this path.
    case missing(path: String)
    /// They differ from the golden file at this path.
    case differs(path: String, LineDifference)
    /// The golden file was written: with the difference from the one before, and how a second run
    /// differs from the recorded one.
    case recorded(path: String, LineDifference?, again: LineDifference? = nil)
    /// Nothing was compared: a run broke off, the suite has no golden files, or this scenario has
    /// none yet and a run with findings that fail it is no example to record.
    case notCompared
    /// The scenario says that there is no golden file, but one is at this path.
    case needless(path: String)
    /// The golden file cannot be used.
    case unusable(RunError)
  }
}
