public import BackupCollections
public import BackupDiagnostics
import BackupFileTree
public import BackupRules
public import BackupScenarios
import Foundation

/// The result of a scenario under all its systems and backup kinds.
public struct ScenarioResult: Sendable {
  /// The outcome of a scenario under all its systems and backup kinds.
  @nonexhaustive
  public enum Verdict: String, CaseIterable, Codable, Hashable, Sendable {
    /// No problem fails the scenario: the expected findings occurred, no other error occurred, and
    /// no golden file differs.
    case passed
    /// A problem fails the scenario. For example, the outcome differs from the golden file, or an
    /// expected finding did not occur.
    case failed
    /// A golden file was written; the next run can pass.
    case recorded
    /// A run did not finish, or the golden file cannot be used.
    case error
    /// The scenario was not judged. Either the command line cannot run the app's code, or the
    /// scenario names `tmp`, but the kit did not see the app's temporary files.
    case skipped
  }

  /// The scenario that was run or skipped.
  @Boxed public private(set) var scenario: Scenario
  /// The runs, in the order of the scenario's variants; empty if the scenario was skipped.
  public let runs: [Run]
  /// The result of the comparison with the golden file.
  private(set) var goldenOutcome: GoldenOutcome
  /// The error if the kit could not write or remove the golden text that waits for a review.
  private(set) var reviewError: RunError?
  /// The text of the golden file before the run; nil if there was none.
  package let expectedGolden: String?
  /// The runs' golden text that was compared with the golden file; nil if nothing was compared.
  private let comparedText: String?
  /// True if unexpected warnings and advice also fail the scenario.
  let isStrict: Bool
  /// The caller of the suite. For a test, advice does not name options of the command line.
  let caller: ScenarioSuite.Caller
  /// The reason why the scenario was skipped; nil if it was judged.
  let skipReason: SkipReason?
  /// The start of the runs; nil if the scenario was not run.
  private(set) var startDate: Date?
  /// The duration of the runs in seconds; nil if the scenario was not run.
  private(set) var seconds: Double?
  /// The problems in the order of the file. Problems that fail the scenario come first.
  public private(set) var problems: [Scenario.Problem] = []

  init(
    scenario: Scenario, runs: [Run], goldenOutcome: GoldenOutcome, expectedGolden: String?,
    comparedText: String? = nil, isStrict: Bool, caller: ScenarioSuite.Caller = .tool,
    skipReason: SkipReason? = nil,
    startDate: Date? = nil, seconds: Double? = nil
  ) {
    self.scenario = scenario
    self.runs = runs
    self.goldenOutcome = goldenOutcome
    self.expectedGolden = expectedGolden
    self.comparedText = comparedText
    self.isStrict = isStrict
    self.caller = caller
    self.skipReason = skipReason
    self.startDate = startDate
    self.seconds = seconds
    self.problems = computedProblems
  }

  /// The golden text of the runs.
  package var actualGolden: String {
    comparedText ?? scenario.goldenText(of: runs.compactMap(\.transcript))
  }

  /// Writes the new golden text for a review, if it differs and may replace the golden file.
  ///
  /// Otherwise, removes the text that an earlier run left for a review, because it is out of date.
  /// Does nothing if the scenario was run only under some of its systems.
  mutating func leaveNewTextForReview(in goldens: GoldenStore) {
    guard runs.count == scenario.variants.count else { return }
    let hasNoFailingFindings = !runs.contains { $0.hasFailingFindings(isStrict: isStrict) }
    do throws(RunError) {
      if case .differs(_, _, .waits(let text, _)) = goldenOutcome, hasNoFailingFindings {
        return try goldens.leaveForReview(NewGolden(text, of: self), for: scenario.id)
      }
      guard case .differs(let path, let difference, _) = goldenOutcome else {
        return try goldens.removeNewText(of: scenario.id)
      }
      goldenOutcome = .differs(path: path, difference, .ofFailingRuns)
      try goldens.removeNewText(of: scenario.id)
    } catch {
      reviewError = error
      // Remove the text of an earlier run, which is out of date. Ignore a second error, because
      // `reviewError` has the first.
      try? goldens.removeNewText(of: scenario.id)
    }
    problems = computedProblems
  }

  /// The store in which the new text waits for a review; nil if no text waits.
  var storeOfWaitingText: GoldenStore? {
    guard case .differs(_, _, .waits(_, let goldens)) = goldenOutcome, reviewError == nil else {
      return nil
    }
    return goldens
  }

  /// The worst outcome of the runs and of the golden file.
  public var verdict: Verdict {
    if runs.contains(where: { $0.hasBrokenOff }) { return .error }
    if case .unusable = goldenOutcome { return .error }
    if problems.contains(where: { $0.isFailure && $0.kind != .recorded }) { return .failed }
    if case .recorded = goldenOutcome { return .recorded }
    return skipReason == nil ? .passed : .skipped
  }

  /// A reason why a scenario was not judged.
  enum SkipReason: Sendable {
    /// This step performs an action for which there is no code.
    case unboundAction(Scenario.StepReference)
    /// The scenario names `tmp`, and the app kept its temporary files in this folder instead.
    case sharedTemporaryFolder(String)
  }

  /// The result of comparing a scenario's runs with its golden file.
  enum GoldenOutcome: Sendable {
    case matches
    case missing(path: String)
    /// The runs differ from the golden file at this path.
    case differs(path: String, LineDifference, Review)
    /// The golden file was written. `secondRunDifference` is the difference between the file and a
    /// second run.
    case recorded(path: String, isRequested: Bool, secondRunDifference: LineDifference? = nil)
    /// The golden file was not written, because no step changed anything.
    case noEffect
    /// The golden file was not written, because an item changed after the last step.
    case unfinished(changing: ContainerPath)
    /// Nothing was compared. A run did not finish, the suite or the scenario has no golden files,
    /// or failing findings prevent the recording of the first golden file.
    case notCompared
    /// The scenario says that it has no golden file, but a golden file exists at this path.
    case needless(path: String)
    case unusable(RunError)
  }

  /// The review that a new golden text waits for, or the reason why it waits for none.
  enum Review: Sendable {
    /// The text waits for a review in this store.
    case waits(_ text: String, in: GoldenStore)
    /// On CI, no text waits for a review.
    case offOnCI
    /// The scenario was run only under some of its systems, so there is no complete text.
    case ofSomeRuns
    /// Findings fail the scenario, or expected findings did not occur.
    case ofFailingRuns
  }

  /// The result of one run.
  public struct Run: Sendable {
    /// The system and backup kind.
    public let variant: Scenario.Variant
    /// The events of the run; nil if it could not begin.
    @Boxed public private(set) var transcript: Transcript?
    /// The error if the run could not begin.
    public let error: RunError?
    /// The findings of the run, expected or not.
    public let findings: [Scenario.Finding]
    /// The expected findings that did not occur.
    public let missing: [Scenario.Expectation]

    /// True if the run did not finish.
    public var hasBrokenOff: Bool { transcript == nil || transcript?.failure != nil }

    /// Returns true if unexpected or missing findings fail the scenario.
    func hasFailingFindings(isStrict: Bool) -> Bool {
      !missing.isEmpty || findings.contains { $0.fails(isStrict: isStrict) }
    }
  }

  /// The findings of all runs. Equal findings of several runs are merged into one.
  package var findings: [FindingOfRuns] {
    let findingsOfAllRuns = runs.flatMap { run in
      var counts: [FindingOfRuns.Identity: Int] = [:]
      return run.findings.map { finding in
        var identity = FindingOfRuns.Identity(finding)
        counts[identity, default: 0] += 1
        identity.occurrence = counts[identity] ?? 0
        return (identity: identity, finding: finding, variant: run.variant)
      }
    }
    return findingsOfAllRuns.grouped(by: \.identity).compactMap { group in
      let merged = Scenario.Finding.merged(group.map { .init($0.finding, on: $0.variant.system) })
      return merged.map { FindingOfRuns(finding: $0, variants: group.map(\.variant)) }
    }
  }
}

/// A finding with the runs in which it occurred, in order.
///
/// The message of the finding is true for all these runs, or says for which runs it is true.
package struct FindingOfRuns {
  package let finding: Scenario.Finding
  package let variants: [Scenario.Variant]

  /// The identity of a finding. Findings of several runs with equal identities are merged.
  fileprivate struct Identity: Hashable {
    let rule: String
    let step: Scenario.StepReference
    let path: ContainerPath?
    let severity: Scenario.Severity
    let isExpected: Bool
    /// Distinguishes findings of the same run that are otherwise equal, such as findings about two
    /// limits of a budget.
    var occurrence = 0

    init(_ finding: Scenario.Finding) {
      (rule, step, path) = (finding.rule, finding.step, finding.path)
      (severity, isExpected) = (finding.severity, finding.isExpected)
    }
  }
}

extension ScenarioResult.Run {
  /// Creates a run without judging it.
  init(_ variant: Scenario.Variant, transcript: Transcript? = nil, error: RunError? = nil) {
    self.init(
      variant: variant, transcript: transcript, error: error, findings: [], missing: [])
  }

  /// Creates a run, and compares its findings with the findings that the scenario expects.
  init(_ transcript: Transcript, findings: [Scenario.Finding]) {
    let match = ExpectationMatch(
      transcript.scenario.expectations.filter { $0.applies(to: transcript.variant) }, findings)
    self.init(
      variant: transcript.variant, transcript: transcript, error: nil,
      findings: findings.enumerated().map { index, finding in
        var finding = finding
        finding.isExpected = match.isExpected(index)
        return finding
      }, missing: transcript.failure == nil ? match.unmetExpectations : [])
  }
}

extension Scenario.Finding {
  /// Returns true if the finding fails the scenario. With `isStrict`, warnings and advice fail it
  /// too.
  func fails(isStrict: Bool) -> Bool { !isExpected && severity.fails(isStrict: isStrict) }
}

extension Scenario.Severity {
  /// Returns true if an unexpected finding of this severity fails a scenario. With `isStrict`,
  /// every severity does.
  func fails(isStrict: Bool) -> Bool { isStrict || self == .error }
}

extension Scenario {
  /// A problem or a note in a scenario's result, with its position in the file.
  public struct Problem: Hashable, Sendable {
    /// The subject of a problem: a finding, a golden file, a step, or something that was not
    /// tested.
    @nonexhaustive
    public enum Kind: Hashable, Sendable {
      /// A run did not finish.
      case brokenOff
      /// A finding was not expected.
      case finding(rule: String)
      /// An expected finding did not occur.
      case missingFinding(rule: String)
      /// A step or a field of the scenario had no effect.
      case idle
      /// An argument of a step was never read by its action.
      case unreadArgument
      /// The golden file is missing, differs or cannot be used.
      case golden
      /// The golden file was written.
      case recorded
      /// The scenario was not judged. Either an action has no code, or the scenario names `tmp`,
      /// but the kit did not see the app's temporary files.
      case skipped
      /// The file cannot be read as a scenario.
      case unreadable
      /// A test failed for a reason outside of scenarios: an error, an issue or an expectation.
      case failedTest
    }

    /// The subject of the problem.
    public let kind: Kind
    /// The severity: an error, a warning or advice.
    public let severity: Scenario.Severity
    /// True if the problem fails the scenario.
    public let isFailure: Bool
    /// The position in the scenario file.
    public let position: SourcePosition
    /// The problem in a sentence. A very long message or detail is cut in its middle.
    public let message: String
    /// The advice, the lines that differ, and other details. A detail may have several lines.
    public package(set) var details: [String]
    /// The names of the runs that have the problem; nil for all runs of the scenario.
    public let variants: String?
    /// For a finding, the name of the app's action, or the keyword of the step.
    package let actor: String?
    /// For a finding, the path of the item.
    package let path: String?
    /// The app's code that caused the finding or threw the error, the most important line first.
    package let code: [CodePlace]
    /// For a finding, the keys of the rule's sources in the article What iOS does.
    package let sources: [String]
    /// For a difference from the golden file, the reasons why items differ. The details contain
    /// them too.
    let reasons: [String]

    package init(
      kind: Kind, severity: Scenario.Severity, isFailure: Bool, position: SourcePosition,
      message: String, details: [String], variants: String?, actor: String? = nil,
      path: String? = nil, code: [CodePlace] = [], sources: [String] = [], reasons: [String] = []
    ) {
      self.kind = kind
      self.severity = severity
      self.isFailure = isFailure
      self.position = position
      self.message = message.asMessage
      self.details = details.map(\.asMessage)
      self.variants = variants
      self.actor = actor
      self.path = path
      self.code = code
      self.sources = sources.map(\.asMessage)
      self.reasons = reasons.map(\.asMessage)
    }
  }
}
