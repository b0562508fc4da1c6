/// What this process must finish before a signal may end it: containers that must be removed, and
/// files that are half written.
///
/// It only counts: the code that began something ends it.
package final class UnfinishedWork: Sendable {
  package static let shared = UnfinishedWork()

  /// How much was begun and has not ended, and what is done when all has.
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

  /// Does something as soon as nothing is left, which is at once where nothing is; nothing begins
  /// meanwhile.
  package func whenNothingIsLeft(_ ending: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.ending = ending
      if state.count == 0 { ending() }
    }
  }
}
