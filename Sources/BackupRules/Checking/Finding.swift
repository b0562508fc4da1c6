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
    /// How bad it is.
    public let severity: Scenario.Severity
    /// The step that caused it.
    public let step: Scenario.StepReference
    /// The item; nil where it is about the whole.
    public let path: ContainerPath?
    /// What is wrong and why, in a sentence.
    public let message: String
    /// What to do about it, in a sentence without a capital.
    public let advice: String
    /// Where the rule comes from.
    public let sources: [SystemProfile.Source]
  }
}

extension Scenario.Finding: CustomStringConvertible, CustomDebugStringConvertible {
  /// `error: reapply-on-save at line 42, download again: …; what to do`.
  public var description: String { "\(severity): \(sentence); \(advice)" }

  /// The same on a line of its own, as a list has it.
  public var debugDescription: String { "\n  \(description)" }

  /// `reapply-on-save at line 42, download again: …`, the rule with what is wrong and where.
  package var sentence: String { "\(rule) at \(step), \(step.summary): \(message)" }

  /// The same finding with more to do.
  func adding(advice more: String) -> Scenario.Finding {
    Scenario.Finding(
      rule: rule, severity: severity, step: step, path: path, message: message,
      advice: advice + more, sources: sources)
  }

  /// What is added to the advice of the first finding about a missing mark, where code of the app's
  /// own may have set it and nobody has seen it.
  static let shimHint =
    "; where the app's code sets it by Foundation, that does nothing on Linux without the file that "
    + "'backup-testing linux-shim' prints, in each module that does so"

  /// What to do and where the rule comes from, in a line each.
  package var details: [String] {
    ["do: \(advice)", "source: \(sources.map(\.key).joined(separator: ", "))"]
  }
}
