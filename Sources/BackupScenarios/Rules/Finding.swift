public import AppContainer
public import DeviceSimulation

/// A broken rule, at the step that caused it.
public struct Finding: Hashable, Sendable {
  /// How bad it is.
  public enum Severity: String, CaseIterable, Hashable, Sendable {
    /// The app is wrong.
    case error
    /// The app is right by luck, or leaves work undone.
    case warning
    /// There is a better way.
    case advice
  }

  /// The rule's name.
  public let rule: String
  /// How bad it is.
  public let severity: Severity
  /// The step that caused it.
  public let step: StepReference
  /// The item; nil where it is about the whole.
  public let path: ContainerPath?
  /// What is wrong and why, in a sentence.
  public let message: String
  /// What to do.
  public let advice: String
  /// Where the rule comes from.
  public let sources: [Source]
}

extension Finding.Severity: Comparable {
  /// Orders severities, the worst first.
  public static func < (left: Finding.Severity, right: Finding.Severity) -> Bool {
    left.rank < right.rank
  }

  /// How many are worse.
  private var rank: Int {
    switch self {
    case .error: 0
    case .warning: 1
    case .advice: 2
    }
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
