import BackupCollections
public import BackupDevice
import BackupDiagnostics
public import BackupFileTree
public import BackupScenarios

extension Scenario {
  /// A broken rule, at the step that caused it.
  ///
  /// One root cause gives one finding: an item that lost its mark and is in the next three backups
  /// is found once, at the step that lost the mark.
  public struct Finding: Hashable, Sendable {
    /// The rule's name, such as `reapply-on-save`.
    public let rule: String
    /// Whether the finding fails a test, warns or advises.
    public let severity: Scenario.Severity
    /// The step that caused it.
    public let step: Scenario.StepReference
    /// The item; nil where it is about the whole.
    public let path: ContainerPath?
    /// What is wrong and why, in a sentence.
    public internal(set) var message: String
    /// What to do about it, in a sentence without a capital.
    public internal(set) var advice: String
    /// Where the rule comes from.
    public let sources: [SystemProfile.Source]
    /// What else to know before the advice is taken, in a sentence; nil for nothing.
    public internal(set) var note: String?
    /// The mark that the item lacks, where that is what is wrong; empty otherwise.
    package internal(set) var missingMark: ExclusionMark = []
    /// The evidence of it.
    package internal(set) var shown = Shown.byRun
    /// The scenario says that it must come; false before that is judged.
    public package(set) var isExpected = false

    /// The evidence of a finding.
    package enum Shown: Hashable, Sendable {
      /// A run alone, and another of the same scenario too.
      case byRun
      /// A start of the app that nothing has interrupted.
      case byStart
      /// Only the comparison with a run without the injected events.
      case byComparison
    }
  }
}

extension Scenario.Finding: CustomStringConvertible, CustomDebugStringConvertible {
  /// What is found where code of the app's own fails that did not before the system acted; no run of
  /// its trace comes to its end.
  package static func stepFailed(_ end: Transcript.Failure) -> Scenario.Finding {
    Scenario.Finding(
      rule: stepFailure, severity: .error, step: end.step, path: nil, message: end.message,
      advice:
        "change the app so that the step succeeds after the injected event; or, if it may fail "
        + "after the event, add mayThrow: true to the step",
      sources: [.appleAppGuide])
  }

  package var isStepFailure: Bool { rule == Self.stepFailure }

  /// The name in the place of a rule's for a step that failed.
  package static let stepFailure = "step-failed"

  /// A finding in a run of a version of iOS.
  package struct OfRun {
    let system: SystemVersion
    let finding: Scenario.Finding

    package init(_ finding: Scenario.Finding, on system: SystemVersion) {
      (self.finding, self.system) = (finding, system)
    }
  }

  /// One finding in place of those that several runs have alike, with words that hold for all or
  /// say for which systems they hold; nil for none.
  package static func merged(_ findings: [OfRun]) -> Scenario.Finding? {
    guard var merged = findings.first?.finding else { return nil }
    let messages = findings.grouped(by: \.finding.message)
    if messages.count > 1 { merged.message = "\(systems(messages[0])): \(merged.message)" }
    let advice = findings.grouped(by: \.finding.advice)
    if advice.count > 1 {
      merged.advice = advice.map { same in
        "\(systems(same)): \(same.first?.finding.advice ?? "")"
      }.joined(separator: "; ")
    }
    return merged
  }

  /// `under iOS 5.0 and 5.0.1`, the systems of some findings.
  private static func systems(_ findings: [OfRun]) -> String {
    let versions = findings.map(\.system.description).grouped { $0 }.compactMap(\.first)
    return "under iOS \(versions.joinedInWords)"
  }

  /// `error: reapply-on-save at line 42, download again: …; what to do`.
  public var description: String { "\(severity): \(sentence); \(advice)" }

  /// The same on a line of its own, as a list has it.
  public var debugDescription: String { "\n  \(description)" }

  /// `reapply-on-save at line 42, download again: …`, the rule with what is wrong and where.
  package var sentence: String { "\(rule) at \(step.withSummary): \(message)" }

  /// What to do and what to know before, in a line each.
  package var details: [String] { details(noting: note) }

  package func details(noting note: String?) -> [String] {
    ["do: \(advice)"] + [note].compactMap { $0.map { "note: \($0)" } }
  }
}

extension Scenario {
  /// Whether the scenario expects a finding, in whatever step.
  package func expects(_ finding: Finding, in variant: Variant) -> Bool {
    expects(finding.rule, finding.severity, at: finding.path, in: variant)
  }

  /// The rule of the first expectation that no finding meets; nil if all are met.
  package func ruleNotBroken(by findings: [Finding], in variant: Variant) -> String? {
    let unmet = expectations.first { expectation in
      expectation.applies(to: variant)
        && !findings.contains { expectation.matches($0.rule, $0.severity, at: $0.path) }
    }
    return unmet?.rule
  }
}

/// Findings of several runs with equal keys are the same finding. An error is not the same as a warning,
/// so that a warning hides none.
package struct FindingKey: Hashable, Sendable {
  package let rule: String
  let severity: Scenario.Severity
  /// The item, without what is random in its name; the step's summary for a finding without one.
  let subject: String
  /// Whether a step fails after a kill or full storage, which has another cause than after what iOS did.
  private var failsAfterKill = false
  /// Whether a start does it that nothing has interrupted: an app may do so at each start.
  private let isByStart: Bool

  package init(_ finding: Scenario.Finding, isAfterKill: Bool = false) {
    self.init(
      finding.rule, finding.severity, finding.path, finding.step,
      isByStart: finding.shown == .byStart)
    self.failsAfterKill = isAfterKill && finding.isStepFailure
  }

  package init(_ violation: Violation) {
    self.init(
      violation.rule, violation.severity, violation.path, violation.step,
      isByStart: violation.shown == .byStart)
  }

  /// The error that exploration does not report of a start, since each start may lose the user's data, even if iOS did
  /// nothing. The warning that the kit cannot tell is reported once.
  package static func habit(_ violation: Violation) -> FindingKey? {
    guard violation.shown == .byStart, violation.severity == .warning else { return nil }
    return FindingKey(violation.rule, .error, violation.path, violation.step, isByStart: true)
  }

  private init(
    _ rule: String, _ severity: Scenario.Severity, _ path: ContainerPath?,
    _ step: Scenario.StepReference, isByStart: Bool
  ) {
    (self.rule, self.severity, self.isByStart) = (rule, severity, isByStart)
    self.subject = path.map { NameForm.withoutRandomParts("\($0)") } ?? step.summary
  }
}
