public import BackupDevice
public import BackupFileTree

/// What happened in one run of a scenario: every step, in order, with the container after it.
///
/// It knows nothing of golden files or output formats; rules and reports read it.
public struct Transcript: Sendable {
  /// The scenario that ran.
  public let scenario: Scenario
  /// The system and backup kind it ran under.
  public let variant: Scenario.Variant
  /// The container before the first step.
  public let firstTree: FileTree
  /// What happened, in order.
  public internal(set) var entries: [Entry] = []
  /// The step that failed and ended the run, with why; nil for a run to the end.
  public internal(set) var failure: Failure?

  /// A step that ended the run.
  public struct Failure: Sendable {
    /// The step.
    public let step: Scenario.StepReference
    /// Why it failed.
    public let message: String
  }

  /// The container after the last step.
  public var lastTree: FileTree { entries.last?.tree ?? firstTree }

  /// What the system did, in order.
  public var systemEntries: [Entry] { entries.filter(\.event.isBySystem) }
}

extension Transcript {
  /// One thing that happened.
  public struct Entry: Sendable {
    /// The step that made it happen.
    public let step: Scenario.StepReference
    /// What happened.
    public let event: Transcript.Event
    /// The container afterwards.
    public let tree: FileTree
    /// The system at that time.
    public let profile: SystemProfile
  }
}
