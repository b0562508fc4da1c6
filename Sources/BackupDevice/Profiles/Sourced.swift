extension SystemProfile {
  /// A statement about iOS: a value, how sure it is and where it comes from.
  public struct Sourced<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The value that the statement gives, such as whether an update keeps `tmp`.
    public var value: Value
    /// How sure the statement is.
    public var evidence: Evidence
    /// Where the statement comes from; empty only for what is unverified.
    public var sources: [Source]

    /// A value with its evidence; only what is unverified has no sources.
    package init(_ value: Value, _ evidence: Evidence, from sources: Source...) {
      self.value = value
      self.evidence = evidence
      self.sources = sources
    }
  }

  /// How sure a statement about iOS is.
  @nonexhaustive
  public enum Evidence: String, CaseIterable, Hashable, Sendable {
    /// Apple says so.
    case documented
    /// Open source code was read.
    case source
    /// It was run and seen.
    case measured
    /// Seen in real backups and containers; not a contract.
    case observed
    /// It follows from what a page of Apple's does not say.
    case byOmission = "by omission"
    /// It has not been shown; the kit assumes what is worse for the app.
    case unverified
  }
}
