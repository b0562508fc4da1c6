import BackupCollections
public import BackupDevice
import BackupDiagnostics
public import BackupFileTree
public import BackupScenarios

extension Scenario {
  /// A report of a broken rule, at the step that caused it.
  ///
  /// Each cause has one finding: if an item lost its mark and is in the next three backups, the
  /// only finding is at the step that lost the mark.
  public struct Finding: Hashable, Sendable {
    /// The rule's name, such as `reapply-on-save`.
    public let rule: String
    /// The severity, which decides whether the finding fails a test.
    public let severity: Scenario.Severity
    /// The step that caused the finding.
    public let step: Scenario.StepReference
    /// The path of the item; nil if the finding is not about one item.
    public let path: ContainerPath?
    /// A sentence on the mistake and its cause.
    public internal(set) var message: String
    /// Advice on how to correct the mistake: a sentence that begins in lower case.
    public internal(set) var advice: String
    /// The sources of the rule.
    public let sources: [SystemProfile.Source]
    /// A sentence to read before following the advice; nil if there is none.
    public internal(set) var note: String?
    /// The missing mark, if that is the mistake; empty otherwise.
    package internal(set) var missingMark: ExclusionMark = []
    /// The way in which the kit detected the mistake.
    package internal(set) var detection = Detection.inRun
    /// True if the scenario expects the finding; false before the run is compared with the
    /// scenario.
    public package(set) var isExpected = false

    /// A way in which the kit detects a mistake.
    package enum Detection: Hashable, Sendable {
      /// In the run alone. Each run of the scenario shows the finding.
      case inRun
      /// At a start of the app without an interruption.
      case atStart
      /// By comparing the run with a run without the injected events.
      case byComparison
    }
  }
}

extension Scenario.Finding: CustomStringConvertible, CustomDebugStringConvertible {
  /// Returns the finding for a step of the app's code that fails only after an injected event. The
  /// failure ends the trace.
  package static func stepFailed(_ failure: Transcript.Failure) -> Scenario.Finding {
    Scenario.Finding(
      rule: stepFailureRule, severity: .error, step: failure.step, path: nil,
      message: failure.message,
      advice:
        "change the app so that the step succeeds after the injected event; or, if it may fail "
        + "after the event, add mayThrow: true to the step",
      sources: [.appleAppGuide])
  }

  package var isStepFailure: Bool { rule == Self.stepFailureRule }

  /// The name in place of a rule's name if a step failed.
  package static let stepFailureRule = "step-failed"

  /// A finding in a run under one version of iOS.
  package struct Occurrence {
    let system: SystemVersion
    let finding: Scenario.Finding

    package init(_ finding: Scenario.Finding, on system: SystemVersion) {
      (self.finding, self.system) = (finding, system)
    }
  }

  /// Merges the same finding of several runs into one. Returns nil for an empty array.
  ///
  /// If the messages differ, the result has the first message, with its versions of iOS. If the
  /// advice differs, the result has all advice, with the versions of iOS.
  package static func merged(_ findings: [Occurrence]) -> Scenario.Finding? {
    guard var merged = findings.first?.finding else { return nil }
    let groupsByMessage = findings.grouped(by: \.finding.message)
    if groupsByMessage.count > 1 {
      merged.message = "\(systemsPhrase(of: groupsByMessage[0])): \(merged.message)"
    }
    let groupsByAdvice = findings.grouped(by: \.finding.advice)
    if groupsByAdvice.count > 1 {
      merged.advice = groupsByAdvice.map { group in
        "\(systemsPhrase(of: group)): \(group.first?.finding.advice ?? "")"
      }.joined(separator: "; ")
    }
    return merged
  }

  /// Returns a phrase with the versions of iOS: `under iOS 5.0 and 5.0.1`.
  private static func systemsPhrase(of findings: [Occurrence]) -> String {
    let versions = findings.map(\.system.description).grouped { $0 }.compactMap(\.first)
    return "under iOS \(versions.joinedInWords)"
  }

  /// The whole finding in a line:
  /// `error: reapply-on-save at line 42, download again: …; what to do`.
  public var description: String { "\(severity): \(sentence); \(advice)" }

  /// The description on a line of its own, for lists.
  public var debugDescription: String { "\n  \(description)" }

  /// The rule, the step and the message: `reapply-on-save at line 42, download again: …`.
  package var sentence: String { "\(rule) at \(step.withSummary): \(message)" }

  /// A line with the advice, and a line with the note, if the finding has one.
  package var adviceLines: [String] { adviceLines(noting: note) }

  package func adviceLines(noting note: String?) -> [String] {
    ["do: \(advice)"] + [note].compactMap { $0.map { "note: \($0)" } }
  }
}

extension Scenario {
  /// Returns true if the scenario expects the finding, in any step.
  package func expects(_ finding: Finding, in variant: Variant) -> Bool {
    expects(finding.rule, finding.severity, at: finding.path, in: variant)
  }

  /// Returns the rule of the first expectation that no finding meets; nil if all are met.
  package func expectedRuleNotBroken(by findings: [Finding], in variant: Variant) -> String? {
    let unmet = expectations.first { expectation in
      expectation.applies(to: variant)
        && !findings.contains { expectation.matches($0.rule, $0.severity, at: $0.path) }
    }
    return unmet?.rule
  }
}

/// Identifies the same finding in several runs. The key includes the severity, so that a warning
/// hides no error.
package struct FindingKey: Hashable, Sendable {
  package let rule: String
  let severity: Scenario.Severity
  /// The item's path without random parts. For a finding on no item, the step's summary.
  let itemOrStep: String
  /// True if a step failed after a kill or with full storage. A failure after a different injected
  /// event has another cause.
  private var isFailureAfterKill = false
  /// True if a start without an interruption shows the finding. A loss after a kill is another
  /// mistake, because the app does not repeat it at each start.
  private let isDetectedAtStart: Bool

  package init(_ finding: Scenario.Finding, isAfterKill: Bool = false) {
    self.init(
      finding.rule, finding.severity, finding.path, finding.step,
      isDetectedAtStart: finding.detection == .atStart)
    self.isFailureAfterKill = isAfterKill && finding.isStepFailure
  }

  package init(_ violation: Violation) {
    self.init(
      violation.rule, violation.severity, violation.path, violation.step,
      isDetectedAtStart: violation.detection == .atStart)
  }

  /// Returns the key of the error that a warning on a start replaces; nil for any other violation.
  /// Exploration does not report this error, because the warning already says that each start may
  /// lose the user's data.
  package static func keyOfReplacedError(_ violation: Violation) -> FindingKey? {
    guard violation.detection == .atStart, violation.severity == .warning else { return nil }
    return FindingKey(
      violation.rule, .error, violation.path, violation.step, isDetectedAtStart: true)
  }

  private init(
    _ rule: String, _ severity: Scenario.Severity, _ path: ContainerPath?,
    _ step: Scenario.StepReference, isDetectedAtStart: Bool
  ) {
    (self.rule, self.severity, self.isDetectedAtStart) = (rule, severity, isDetectedAtStart)
    self.itemOrStep = path.map { NameForm.replacingRandomParts("\($0)") } ?? step.summary
  }
}
