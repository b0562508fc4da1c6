import BackupContainer

/// The turns of tasks that run code in a container. One task at a time has the turn, and the others
/// wait in order.
///
/// The owner protects this value with a lock. A task that must wait is suspended, so no thread
/// waits. A function returns the answer to a task, and the owner calls the answer when it has
/// released the lock.
struct Turns: Sendable {
  /// The answer to a task that asked for its turn. The answer resumes the task.
  typealias Answer = @Sendable () -> Void

  /// The current turn; nil if no task's code runs.
  private(set) var current: SerialNumber?
  /// The turns that tasks wait for, the next turn first. Each has the continuation of its task.
  private var queue: [(turn: SerialNumber, continuation: CheckedContinuation<Void, any Error>)] = []

  /// Gives a task its turn, or makes the task wait. A cancelled task that would have to wait gets
  /// an error instead. Returns the answer to the task; nil if the task waits.
  mutating func ask(
    for turn: SerialNumber, isCancelled: Bool, _ continuation: CheckedContinuation<Void, any Error>
  ) -> Answer? {
    guard current != nil else {
      current = turn
      return { continuation.resume() }
    }
    if isCancelled { return { continuation.resume(throwing: CancellationError()) } }
    queue.append((turn, continuation))
    return nil
  }

  /// Removes a cancelled task from the queue. Returns the answer to the task; nil if the task does
  /// not wait.
  mutating func leave(_ turn: SerialNumber) -> Answer? {
    guard let index = queue.firstIndex(where: { $0.turn == turn }) else { return nil }
    let removedRequest = queue.remove(at: index)
    return { removedRequest.continuation.resume(throwing: CancellationError()) }
  }

  /// Ends the current turn, and gives the turn to the next task. Returns the answer to this task;
  /// nil if no task waits.
  mutating func end() -> Answer? {
    guard !queue.isEmpty else {
      current = nil
      return nil
    }
    let nextRequest = queue.removeFirst()
    current = nextRequest.turn
    return { nextRequest.continuation.resume() }
  }
}

/// A number that is unique in this process.
///
/// A `UUID` is no substitute: Foundation's `UUID()` returns the same value each time if the process
/// has no free file descriptor.
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
