/// The work that this process must finish before a signal may end it: containers to remove, and
/// half-written files.
///
/// Only a count is kept: the code that began a piece of work must end it.
package final class UnfinishedWork: Sendable {
  package static let shared = UnfinishedWork()

  /// The number of unfinished pieces of work, and the code to run when all are finished.
  private let state = Locked<(count: Int, ending: (@Sendable () -> Void)?)>((0, nil))

  package init() {}

  package func begin() {
    state.withLock { $0.count += 1 }
  }

  package func end() {
    state.withLock { state in
      state.count -= 1
      if state.count == 0 { state.ending?() }
    }
  }

  /// Runs code as soon as no work is left, which may be at once. No work can begin meanwhile.
  package func whenNothingIsLeft(_ ending: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.ending = ending
      if state.count == 0 { ending() }
    }
  }
}
