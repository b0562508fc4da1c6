import Foundation

/// Limits how many processes run at the same time: tools, which the kit starts for `run` steps, or
/// apps. With a count of 1, the processes run one after another.
package actor ProcessLimit {
  /// The number of file descriptors for each tool. A tool takes four of them. The rest is for other
  /// work of this process.
  private static let descriptorsPerTool = 16

  static let shared = ProcessLimit(
    count: count(
      processors: ProcessInfo.processInfo.activeProcessorCount, descriptors: Int(getdtablesize())))

  /// Returns the number of tools that may run at the same time, at least one. `descriptors` is the
  /// number of files that this process may have open.
  package static func count(processors: Int, descriptors: Int) -> Int {
    max(1, min(max(4, 2 * processors), descriptors / descriptorsPerTool))
  }

  private var freeCount: Int
  /// The waiting tasks in the order in which they began to wait, each with its urgency.
  private(set) var waitingTasks: [(urgency: Int, continuation: CheckedContinuation<Void, Never>)] =
    []

  package init(count: Int) {
    self.freeCount = count
  }

  /// Waits until another tool may run. A more urgent task goes first, even if it began to wait
  /// later.
  package func waitForTurn(urgency: Int = .max) async {
    guard freeCount == 0 else {
      freeCount -= 1
      return
    }
    await withCheckedContinuation { continuation in
      waitingTasks.append((urgency, continuation))
    }
  }

  /// Reports the end of a tool, so that the most urgent waiting task may run. If several tasks are
  /// equally urgent, the task that has waited longest goes first.
  package func endTurn() {
    let highestUrgency = waitingTasks.lazy.map { $0.urgency }.max()
    guard let nextIndex = waitingTasks.firstIndex(where: { $0.urgency == highestUrgency }) else {
      freeCount += 1
      return
    }
    waitingTasks.remove(at: nextIndex).continuation.resume()
  }
}
