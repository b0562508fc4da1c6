public import BackupDevice
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
  }
}

extension Scenario.Finding {
  /// What is found where code of the app's own fails that did not before the system acted; no run of
  /// its trace comes to its end.
  package static func stepFailed(_ end: TransitionError) -> Scenario.Finding {
    Scenario.Finding(
      rule: "step-failed", severity: .error, step: end.step, path: nil, message: end.message,
      advice:
        "handle the state that the system leaves; if the step may fail then, add mayThrow: true "
        + "to it",
      sources: [.appleAppGuide])
  }
}

extension Scenario.Finding: CustomStringConvertible, CustomDebugStringConvertible {
  /// `error: reapply-on-save at line 42, download again: …; what to do`.
  public var description: String { "\(severity): \(sentence); \(advice)" }

  /// The same on a line of its own, as a list has it.
  public var debugDescription: String { "\n  \(description)" }

  /// `reapply-on-save at line 42, download again: …`, the rule with what is wrong and where.
  package var sentence: String { "\(rule) at \(step), \(step.summary): \(message)" }

  /// What to do, what to know before and where the rule comes from, in a line each.
  package var details: [String] {
    ["do: \(advice)"] + [note].compactMap { $0.map { "note: \($0)" } }
      + ["source: \(sources.map(\.key).joined(separator: ", "))"]
  }
}
