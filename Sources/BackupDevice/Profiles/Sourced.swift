extension SystemProfile {
  /// A statement about iOS: a value, its evidence and its sources.
  public struct Sourced<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The value, for example the directories that an update carries over.
    public var value: Value
    /// The evidence for the statement.
    public var evidence: Evidence
    /// The sources of the statement; empty only if it is unverified.
    public var sources: [Source]

    /// Creates a value with its evidence; only an unverified value has no sources.
    package init(_ value: Value, _ evidence: Evidence, from sources: Source...) {
      self.value = value
      self.evidence = evidence
      self.sources = sources
    }
  }

  /// The evidence for a statement about iOS. It says how sure the kit is.
  @nonexhaustive
  public enum Evidence: String, CaseIterable, Hashable, Sendable {
    /// Documented by Apple.
    case documented
    /// Read in open source code.
    case source
    /// Measured in an experiment.
    case measured
    /// Seen in real backups and containers; not a contract.
    case observed
    /// Concluded from an omission in Apple's documentation.
    case byOmission = "by omission"
    /// Not known. The kit assumes the worse case for the app.
    case unverified
  }
}
