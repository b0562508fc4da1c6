extension SystemProfile {
  /// A value with how sure it is and where it comes from.
  public struct Sourced<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The value.
    public var value: Value
    /// How sure it is.
    public var evidence: SystemProfile.Evidence
    /// Where it comes from; empty only for what is unverified.
    public var sources: [SystemProfile.Source]

    /// A value with its evidence.
    ///
    /// - Parameters:
    ///   - value: What the profile says.
    ///   - evidence: How sure it is.
    ///   - sources: Where it comes from; none only for what is unverified.
    package init(
      _ value: Value, _ evidence: SystemProfile.Evidence, _ sources: SystemProfile.Source...
    ) {
      self.value = value
      self.evidence = evidence
      self.sources = sources
    }
  }
}
