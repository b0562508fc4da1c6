public import BackupDevice
public import BackupFileTree
public import BackupScenarios

extension Scenario {
  /// A broken rule, at the step that caused it.
  public struct Finding: Hashable, Sendable {
    /// The rule's name.
    public let rule: String
    /// How bad it is.
    public let severity: Scenario.Severity
    /// The step that caused it.
    public let step: Scenario.StepReference
    /// The item; nil where it is about the whole.
    public let path: ContainerPath?
    /// What is wrong and why, in a sentence.
    public let message: String
    /// What to do.
    public let advice: String
    /// Where the rule comes from.
    public let sources: [SystemProfile.Source]
  }
}

/// What a finding accounts for, so that no later rule reports it again.
struct Explanation: Hashable {
  /// What became of the items.
  enum Effect: Hashable {
    /// They are in a backup.
    case backedUp
    /// They are not in a backup.
    case leftOut
  }

  /// What became of the items.
  let effect: Effect
  /// The item, with all in it.
  let path: ContainerPath
}
