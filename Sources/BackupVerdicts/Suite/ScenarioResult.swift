public import BackupCollections
public import BackupDiagnostics
import BackupFileTree
public import BackupRules
public import BackupScenarios
import Foundation

/// What came of one scenario, under all its systems and backup kinds.
public struct ScenarioResult: Sendable {
  /// How a scenario ended under all its systems and backup kinds.
  @nonexhaustive
  public enum Verdict: String, CaseIterable, Codable, Hashable, Sendable {
    /// All came as expected, and as the golden file has it.
    case passed
    /// A difference, or a finding that was not expected or did not come.
    case failed
    /// A golden file was written; the next run can pass.
    case recorded
    /// It could not be run to its end.
    case error
    /// It was not judged: it performs an action, and the command line runs no app code; or it names
    /// `tmp`, and the kit did not see the app's temporary files.
    case skipped
  }

  /// The scenario that was run, under each of its systems.
  @Boxed public private(set) var scenario: Scenario
  /// Its runs, in the order of its variants; none of one that was skipped.
  public let runs: [Run]
  /// How the runs compare with the golden file.
  private(set) var golden: GoldenOutcome
  /// Why the new golden text was not left for a review, or that of an earlier run not removed.
  private(set) var reviewError: RunError?
  /// The text of the golden file before the run; nil where there was none.
  package let expectedGolden: String?
  /// The golden text of the runs, if it was compared.
  private let comparedText: String?
  /// Whether unexpected warnings and advice fail it too.
  let isStrict: Bool
  /// Whether it came of a test, where there is no command to give an option to.
  let caller: ScenarioSuite.Caller
  /// Why it was skipped; nil where it was judged.
  let skip: Skip?
  /// When the runs began and how many seconds they took; nil if the scenario was not run.
  private(set) var started: Date?
  private(set) var seconds: Double?
  /// Everything the reader must know, in the order of the file.
  public private(set) var problems: [Scenario.Problem] = []

  init(
    scenario: Scenario, runs: [Run], golden: GoldenOutcome, expectedGolden: String?,
    comparedText: String? = nil, isStrict: Bool, caller: ScenarioSuite.Caller = .tool,
    skip: Skip? = nil,
    started: Date? = nil, seconds: Double? = nil
  ) {
    self.scenario = scenario
    self.runs = runs
    self.golden = golden
    self.expectedGolden = expectedGolden
    self.comparedText = comparedText
    self.isStrict = isStrict
    self.caller = caller
    self.skip = skip
    self.started = started
    self.seconds = seconds
    self.problems = foundProblems
  }

  /// The golden text of the runs.
  package var actualGolden: String {
    comparedText ?? scenario.goldenText(of: runs.compactMap(\.transcript))
  }

  /// Leaves the new golden text for a review, if a golden file may be recorded from these runs;
  /// otherwise, removes what an earlier run left, which the scenario does not do any more.
  mutating func leaveForReview(in goldens: GoldenStore) {
    guard runs.count == scenario.variants.count else { return }
    let isExample = !runs.contains { $0.hasFailingFindings(isStrict: isStrict) }
    do throws(RunError) {
      if case .differs(_, _, .waits(let text, _)) = golden, isExample {
        return try goldens.leave(NewGolden(text, of: self), for: scenario.id)
      }
      guard case .differs(let path, let difference, _) = golden else {
        return try goldens.removeNew(of: scenario.id)
      }
      golden = .differs(path: path, difference, .ofFailingRuns)
      try goldens.removeNew(of: scenario.id)
    } catch {
      reviewError = error
      // The text of an earlier run is not that of this one. The error of the first call says why it
      // stays, if it does.
      try? goldens.removeNew(of: scenario.id)
    }
    problems = foundProblems
  }

  /// Where the new golden text waits for a review; nil if it does not.
  var waitingPlace: GoldenStore? {
    guard case .differs(_, _, .waits(_, let goldens)) = golden, reviewError == nil else {
      return nil
    }
    return goldens
  }

  /// How it ended, the worst of its runs and its golden file.
  public var verdict: Verdict {
    if runs.contains(where: { $0.hasBrokenOff }) { return .error }
    if case .unusable = golden { return .error }
    if problems.contains(where: { $0.isFailure && $0.kind != .recorded }) { return .failed }
    if case .recorded = golden { return .recorded }
    return skip == nil ? .passed : .skipped
  }

  /// Why a scenario was not judged.
  enum Skip: Sendable {
    /// A step performs an action for which there is no code.
    case unbound(Scenario.StepReference)
    /// The scenario names `tmp`, and the app kept its temporary files in this folder instead.
    case sharedTemporaryFolder(String)
  }

  /// How a scenario's runs compare with its golden file.
  enum GoldenOutcome: Sendable {
    case matches
    case missing(path: String)
    /// They differ from the golden file at this path.
    case differs(path: String, LineDifference, Review)
    /// The golden file was written; with how a second run differs from it.
    case recorded(path: String, isRequested: Bool, again: LineDifference? = nil)
    /// The golden file was not written, because no step changed anything.
    case vacuous
    /// The golden file was not written, because an item changed when all steps were done.
    case unfinished(changing: ContainerPath)
    /// Nothing was compared: a run broke off, the suite has no golden files, or this scenario has
    /// none yet and a run with findings that fail it is no example to record.
    case notCompared
    /// The scenario says that there is no golden file, but one is at this path.
    case needless(path: String)
    case unusable(RunError)
  }

  /// Whether a new golden text is left for a review.
  enum Review: Sendable {
    /// It is left, for these golden files.
    case waits(_ text: String, in: GoldenStore)
    case offOnCI
    /// Only a part of the systems was run.
    case ofPart
    /// Findings fail the scenario, or expected ones did not come.
    case ofFailingRuns
  }

  /// What came of one run.
  public struct Run: Sendable {
    /// The system and backup kind.
    public let variant: Scenario.Variant
    /// What happened; nil where the run could not begin.
    @Boxed public private(set) var transcript: Transcript?
    /// Why it could not begin.
    public let error: RunError?
    /// What broke a rule in it, expected or not.
    public let findings: [Scenario.Finding]
    /// The expected findings that did not come.
    public let missing: [Scenario.Expectation]

    /// Whether the run did not get to its end.
    public var hasBrokenOff: Bool { transcript == nil || transcript?.failure != nil }

    /// Whether its findings fail the scenario: those that came, and those that did not.
    func hasFailingFindings(isStrict: Bool) -> Bool {
      !missing.isEmpty || findings.contains { $0.fails(isStrict: isStrict) }
    }
  }

  /// The findings of all runs; one that is the same in several is there once.
  package var findings: [FindingOfRuns] {
    let all = runs.flatMap { run in
      var counts: [FindingOfRuns.Identity: Int] = [:]
      return run.findings.map { finding in
        var identity = FindingOfRuns.Identity(finding)
        counts[identity, default: 0] += 1
        identity.number = counts[identity] ?? 0
        return (identity: identity, finding: finding, variant: run.variant)
      }
    }
    return all.grouped(by: \.identity).compactMap { same in
      let merged = Scenario.Finding.merged(same.map { .init($0.finding, on: $0.variant.system) })
      return merged.map { FindingOfRuns(finding: $0, variants: same.map(\.variant)) }
    }
  }
}

/// A finding in words that hold for all of the runs in which it came, or say for which, with these
/// runs in their order.
package struct FindingOfRuns {
  package let finding: Scenario.Finding
  package let variants: [Scenario.Variant]

  /// Findings of several runs with equal identities are one.
  fileprivate struct Identity: Hashable {
    let rule: String
    let step: Scenario.StepReference
    let path: ContainerPath?
    let severity: Scenario.Severity
    let isExpected: Bool
    /// Tells those of one run that are alike in the rest, as of two limits of a budget.
    var number = 0

    init(_ finding: Scenario.Finding) {
      (rule, step, path) = (finding.rule, finding.step, finding.path)
      (severity, isExpected) = (finding.severity, finding.isExpected)
    }
  }
}

extension ScenarioResult.Run {
  /// A run that is not judged.
  init(_ variant: Scenario.Variant, transcript: Transcript? = nil, error: RunError? = nil) {
    self.init(
      variant: variant, transcript: transcript, error: error, findings: [], missing: [])
  }

  /// Judges a run's findings by what its scenario expects.
  init(_ transcript: Transcript, findings: [Scenario.Finding]) {
    let match = ExpectationMatch(
      transcript.scenario.expectations.filter { $0.applies(to: transcript.variant) }, findings)
    self.init(
      variant: transcript.variant, transcript: transcript, error: nil,
      findings: findings.enumerated().map { index, finding in
        var finding = finding
        finding.isExpected = match.isExpected(index)
        return finding
      }, missing: transcript.failure == nil ? match.missing : [])
  }
}

extension Scenario.Finding {
  /// Whether it fails the scenario; with strictness what is no error does too.
  func fails(isStrict: Bool) -> Bool { !isExpected && severity.fails(isStrict: isStrict) }
}

extension Scenario.Severity {
  /// Whether an unexpected finding of this severity fails a scenario; with strictness each does.
  func fails(isStrict: Bool) -> Bool { isStrict || self == .error }
}

extension Scenario {
  /// Something about a scenario's result that its reader must know, at its place in the file.
  public struct Problem: Hashable, Sendable {
    /// What a problem is about: a finding, a golden file, a step, or what was not tested.
    @nonexhaustive
    public enum Kind: Hashable, Sendable {
      /// A run did not get to its end.
      case brokenOff
      /// A finding came that was not expected.
      case finding(rule: String)
      /// An expected finding did not come.
      case missingFinding(rule: String)
      /// Something that the scenario says or runs did nothing.
      case idle
      /// An argument of a step was never read by its action.
      case unreadArgument
      /// The golden file is missing, differs or cannot be used.
      case golden
      /// The golden file was written.
      case recorded
      /// The scenario was not judged: it performs an action for which there is no code, or names `tmp` where
      /// the app's temporary files are not seen.
      case skipped
      /// The file cannot be read as a scenario.
      case unreadable
      /// A test failed for a reason that no scenario has: an error, an issue or an expectation.
      case failedTest
    }

    /// What the problem is about, for code that tells one problem from another.
    public let kind: Kind
    /// Whether the problem fails a test, warns or advises.
    public let severity: Scenario.Severity
    /// Whether it fails the scenario.
    public let isFailure: Bool
    /// Where in the scenario file.
    public let position: SourcePosition
    /// What is wrong, in a sentence; cut in its middle where it is very long, as are the details.
    public let message: String
    /// What to do, the lines that differ, and the like; may have several lines.
    public package(set) var details: [String]
    /// The runs it is about, where not all of the scenario's.
    public let variants: String?
    /// For a finding, the name of the app's action or the step's keyword, and the item.
    package let actor: String?
    package let path: String?
    /// For a finding or an error that the app's code threw, the code that caused it, the most important first.
    package let code: [CodePlace]
    /// For a finding, the keys of the rule's sources, which the article What iOS does lists.
    package let sources: [String]
    /// For a golden difference, why items have come, gone or changed; the details have this too.
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
