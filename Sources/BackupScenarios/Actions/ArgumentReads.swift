import BackupContainer

/// What an action asks its step's arguments for while it runs.
struct ArgumentReads: Sendable {
  /// The names that were asked for.
  private let names = Locked<Set<String>>([])

  /// Notes that the action asks for some arguments.
  func note(_ names: some Sequence<String>) {
    self.names.withLock { $0.formUnion(names) }
  }

  /// The names that were asked for so far.
  var asked: Set<String> { names.withLock { $0 } }
}
