extension SystemProfile {
  /// How sure a statement about iOS is.
  public enum Evidence: String, CaseIterable, Hashable, Sendable {
    /// Apple says so.
    case documented
    /// Open source code was read.
    case source
    /// It was run and seen.
    case measured
    /// Seen in real backups and containers; not a contract.
    case observed
    /// Nobody has shown it; the kit resolves it against the app.
    case unverified
  }
}
