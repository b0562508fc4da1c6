import BackupContainer
package import BackupDiagnostics

/// An argument of a `perform` step, and whether the action ever asked for it.
package struct ArgumentUse: Hashable, Sendable {
  package let action: String
  package let name: String
  /// Where the name stands in the scenario file.
  package let position: SourcePosition
  /// Whether the action asked for it.
  package private(set) var isRead: Bool
  /// What it asked for that is not there.
  package private(set) var missed: Set<String>

  init(
    _ name: String, at position: SourcePosition, of action: String, isRead: Bool,
    missed: Set<String>
  ) {
    self.action = action
    self.name = name
    self.position = position
    self.isRead = isRead
    self.missed = missed
  }

  /// The use of the same argument in several runs of the step.
  package func merging(_ other: ArgumentUse) -> ArgumentUse {
    var both = self
    both.isRead = isRead || other.isRead
    both.missed.formUnion(other.missed)
    return both
  }
}
