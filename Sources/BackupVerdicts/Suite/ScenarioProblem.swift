public import BackupDiagnostics
public import BackupScenarios

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
      /// The scenario was not run, since it performs an action for which there is no code.
      case skipped
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
    public let details: [String]
    /// The runs it is about, where not all of the scenario's.
    public let variants: String?

    init(
      kind: Kind, severity: Scenario.Severity, isFailure: Bool, position: SourcePosition,
      message: String, details: [String], variants: String?
    ) {
      self.kind = kind
      self.severity = severity
      self.isFailure = isFailure
      self.position = position
      self.message = message.asMessage
      self.details = details.map(\.asMessage)
      self.variants = variants
    }
  }
}

extension Scenario.Problem {
  /// The first character of a file, for what is about all of it.
  static let fileStart = SourcePosition(line: 1, column: 1)
}
