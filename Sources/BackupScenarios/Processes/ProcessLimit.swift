import Foundation

/// Bounds how many tools, or apps, run at once, whatever the number of scenarios.
package actor ProcessLimit {
  /// How many descriptors are there for each tool: it takes four of them, and the rest is for what
  /// else this process does.
  private static let descriptorsForEach = 16

  static let shared = ProcessLimit(
    count: count(
      processors: ProcessInfo.processInfo.activeProcessorCount, descriptors: Int(getdtablesize())))

  /// How many tools may run at once, at least one, with so many processors, and files that may be
  /// open.
  package static func count(processors: Int, descriptors: Int) -> Int {
    max(1, min(max(4, 2 * processors), descriptors / descriptorsForEach))
  }

  private var freeCount: Int
  /// Who waits for one, in the order they came, and how urgently.
  private(set) var waiting: [(urgency: Int, continuation: CheckedContinuation<Void, Never>)] = []

  package init(count: Int) {
    self.freeCount = count
  }

  /// Waits until one more may run; who is more urgent goes first, whoever came first.
  package func take(urgency: Int = .max) async {
    guard freeCount == 0 else {
      freeCount -= 1
      return
    }
    await withCheckedContinuation { continuation in
      waiting.append((urgency, continuation))
    }
  }

  /// Lets the most urgent run, and of these whoever waits longest.
  package func giveBack() {
    let most = waiting.lazy.map { $0.urgency }.max()
    guard let next = waiting.firstIndex(where: { $0.urgency == most }) else {
      freeCount += 1
      return
    }
    waiting.remove(at: next).continuation.resume()
  }
}
