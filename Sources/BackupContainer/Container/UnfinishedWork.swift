/// The work that this process must finish before a signal may end it: containers to remove, and
/// half-written files.
///
/// Only a count is kept: code that calls ``begin()`` must later call ``end()``.
package final class UnfinishedWork: Sendable {
  package static let shared = UnfinishedWork()

  /// The number of unfinished pieces of work, and the code to run when it becomes 0.
  private let state = Locked<(count: Int, completion: (@Sendable () -> Void)?)>((0, nil))

  package init() {}

  package func begin() {
    state.withLock { $0.count += 1 }
  }

  package func end() {
    state.withLock { state in
      state.count -= 1
      if state.count == 0 { state.completion?() }
    }
  }

  /// Runs code as soon as no work is left, perhaps at once. No work can begin while the
  /// code runs.
  package func whenNothingIsLeft(_ completion: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.completion = completion
      if state.count == 0 { completion() }
    }
  }
}
