import BackupContainer

/// The turns of tasks to run code in a container. One task has its turn at a time, and the others wait in order.
///
/// This is a value behind its owner's lock. No thread waits: a task that must wait is suspended. The functions return
/// answers to tasks, which the owner calls when the lock is free again.
struct Turns: Sendable {
  /// The answer to a task that asked for its turn, to be called when the lock is free.
  typealias Answer = @Sendable () -> Void

  /// The current turn; nil if no task's code runs.
  private(set) var current: SerialNumber?
  /// The turns that tasks wait for, each with the continuation of its task, the next one first.
  private var line: [(turn: SerialNumber, continuation: CheckedContinuation<Void, any Error>)] = []

  /// Gives a task its turn, or makes it wait. Returns the answer to the task, or nil if it waits.
  mutating func ask(
    for turn: SerialNumber, isCancelled: Bool, _ continuation: CheckedContinuation<Void, any Error>
  ) -> Answer? {
    guard current != nil else {
      current = turn
      return { continuation.resume() }
    }
    if isCancelled { return { continuation.resume(throwing: CancellationError()) } }
    line.append((turn, continuation))
    return nil
  }

  /// Removes a cancelled task from the line. Returns the answer to the task, or nil if it does not
  /// wait.
  mutating func leave(_ turn: SerialNumber) -> Answer? {
    guard let place = line.firstIndex(where: { $0.turn == turn }) else { return nil }
    let left = line.remove(at: place)
    return { left.continuation.resume(throwing: CancellationError()) }
  }

  /// Ends the current turn. Returns the answer to the next task, or nil for none.
  mutating func end() -> Answer? {
    guard !line.isEmpty else {
      current = nil
      return nil
    }
    let next = line.removeFirst()
    current = next.turn
    return { next.continuation.resume() }
  }
}

/// A number that nothing else in this process has had.
///
/// Foundation's `UUID()` returns the same value each time if no descriptor is free.
package struct SerialNumber: Hashable, Sendable {
  private static let latest = Locked<UInt64>(0)

  private let value: UInt64

  package init() {
    value = Self.latest.withLock { latest in
      latest += 1
      return latest
    }
  }
}
